import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { describeOnDocker } from './engine.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** On a Node that the isolate has no build for. */
const PRETEND =
  "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'22.1.0'}})";

describeOnDocker("sandbox: 'auto' where the isolate cannot start", () => {
  it('takes a container, says why not the isolate, and keeps the mode', { timeout: 60_000 }, async () => {
    const script = `
      import { createToolHost, codingTools } from 'caisson';
      const started = [];
      await using host = createToolHost({
        sandbox: 'auto', tools: codingTools(), onEvent: (event) => event.type === 'sandbox.started' && started.push(event),
      });
      const { output } = await host.call({ toolName: 'shell', args: { command: 'git --version' } });
      console.log(JSON.stringify({ output, started, mode: host.sandbox.capabilities.workspaceMode }));`;
    const args = ['--import', PRETEND, '--input-type=module', '-e', script];
    const { stdout } = await run(process.execPath, args, { cwd: ROOT, timeout: 50_000 });
    expect(JSON.parse(stdout)).toMatchObject({
      output: { exitCode: 0, stdout: expect.stringMatching(/^git version/) },
      started: [
        {
          sandbox: { name: 'docker' },
          passedOver: [{ name: 'isolate', reason: expect.stringContaining('needs Node 24 or 26') }],
        },
      ],
      mode: 'memory',
    });
  });
});
