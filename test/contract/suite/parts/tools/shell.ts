import type { Contract } from '../../contract.js';
import { runTool, TOOLS } from '../../run-tool.js';

export function describeShellTool({ describe, check, expect }: Contract): void {
  describe('shell', () => {
    check('answers with exit code and both streams, in the directory asked for', async ({ sandbox, dir }) => {
      const result = await runTool(TOOLS, 'shell', { command: 'pwd; echo err >&2; exit 42', cwd: dir }, sandbox);
      expect([result.exitCode, result.stdout, result.stderr]).toEqual([42, `/workspace/${dir}\n`, 'err\n']);
    });

    check('a timeout is an answer that says what to do', async ({ sandbox }) => {
      const result = await runTool(TOOLS, 'shell', { command: 'echo before; sleep 20', timeout_ms: 700 }, sandbox);
      expect([result.exitCode, result.cause, result.timedOut, result.stdout]).toEqual([
        null,
        'timeout',
        true,
        'before\n',
      ]);
      expect(result.note).toMatch(/timeout_ms/);
    });

    check('long output of a failure keeps its end, where the reason is', async ({ sandbox }) => {
      const result = await runTool(
        TOOLS,
        'shell',
        { command: '{ seq 200000; echo "ERROR: real cause"; } 2>&1; exit 1' },
        sandbox,
      );
      const stdout = String(result.stdout);
      expect(stdout.endsWith('200000\nERROR: real cause\n')).toBe(true);
      expect(stdout.startsWith('1\n2\n')).toBe(true);
      expect(stdout).toMatch(/bytes dropped/);
      expect(stdout.length).toBeLessThan(30_200);
    });

    check('exit code 1 of grep is explained', async ({ sandbox }) => {
      const result = await runTool(TOOLS, 'shell', { command: 'echo a | grep b' }, sandbox);
      expect([result.exitCode, result.note]).toEqual([1, 'Exit code 1 of grep is not an error: nothing matched']);
    });

    check('a command over 64 KiB is command_too_long', async ({ sandbox, failure }) => {
      expect((await failure(runTool(TOOLS, 'shell', { command: `: ${'x'.repeat(70_000)}` }, sandbox))).code).toBe(
        'command_too_long',
      );
      expect((await runTool(TOOLS, 'shell', { command: `echo ${'x'.repeat(60_000)}` }, sandbox)).exitCode).toBe(0);
      expect((await runTool(TOOLS, 'shell', { command: 'echo next' }, sandbox)).stdout).toBe('next\n');
    });
  });
}
