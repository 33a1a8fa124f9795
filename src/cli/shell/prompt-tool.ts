import { z } from 'zod';
import { defineTool } from '../../tool/define-tool.js';
import { createEscapingStream } from '../terminal/escaping-stream.js';

/**
 * The `shell` tool of the prompt: the same name and `command` argument as the one models get, so the same rules hold,
 * but its output goes to the terminal as it comes; while `isQuiet` says so, only errors do.
 */
export function promptTool(options: { raw: boolean; isQuiet: () => boolean }) {
  return defineTool({
    name: 'shell',
    description: 'Runs one command line of the prompt',
    input: z.object({ command: z.string(), cwd: z.string() }),
    requiresSandbox: true,
    needsApproval: false,
    execute: () => {
      throw new Error('The prompt runs in a sandbox only');
    },
    sandboxExecute: async ({ command, cwd }, sandbox, context) => {
      const streams = { stdout: createEscapingStream(), stderr: createEscapingStream() };
      const result = await sandbox.exec(command, {
        cwd,
        ...(context.abortSignal ? { signal: context.abortSignal } : {}),
        onOutput: ({ stream, data }) => {
          if (stream === 'stdout' && options.isQuiet()) return;
          process[stream].write(options.raw ? data : streams[stream].push(data));
        },
      });
      process.stdout.write(streams.stdout.end());
      process.stderr.write(streams.stderr.end());
      const { stdout, exitCode, cause } = result;
      return { stdout: stdout.slice(0, 4096), exitCode, ...(cause === undefined ? {} : { cause }) };
    },
  });
}
