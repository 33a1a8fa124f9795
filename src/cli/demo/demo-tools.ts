import { z } from 'zod';
import { SandboxError } from '../../sandbox/errors.js';
import { defineTool } from '../../tool/define-tool.js';

/** A tool of one's own that evaluates JavaScript in the sandbox. */
export const runJavascript = defineTool({
  name: 'run_javascript',
  description: 'Evaluates JavaScript in the sandbox and returns the value of the last expression',
  input: z.object({ code: z.string(), timeout_ms: z.number().int().positive().default(5_000) }),
  requiresSandbox: true,
  execute: () => {
    throw new Error('Code of a model never runs on the host');
  },
  sandboxExecute: async ({ code, timeout_ms }, sandbox, context) => {
    if (sandbox.evaluate === undefined)
      throw new SandboxError('unsupported', 'This sandbox cannot evaluate JavaScript');
    const result = await sandbox.evaluate(code, {
      timeoutMs: timeout_ms,
      ...(context.abortSignal ? { signal: context.abortSignal } : {}),
    });
    if (result.status === 'ok') return result.value;
    if (result.code !== undefined) throw new SandboxError(result.code, result.error.message);
    throw Object.assign(new Error(result.error.message), { name: result.error.name });
  },
});

/** Demands a sandbox but has no sandboxed form: a call must answer an error and never run `execute`. */
export const deploy = defineTool({
  name: 'deploy',
  description: 'Deploys the project',
  input: z.object({}),
  requiresSandbox: true,
  execute: () => 'deployed from the host, which must never happen',
});
