import { describe, expect, it } from 'vitest';
import { privateDirectoriesOf, runCli, survivors } from './run-cli.js';

const INPUT = 'echo started\nwhile true; do :; done\necho never\n';

describe('a signal while a command runs', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends caisson shell with %i and leaves nothing behind', async (signal, code) => {
    const result = await runCli(['shell'], {
      input: INPUT,
      when: { until: 'started', act: (pid) => setTimeout(() => process.kill(pid, signal), 200) },
    });
    expect(result.code).toBe(code);
    expect(result.stdout).toBe('started\n');
    expect(result.descendants.length).toBeGreaterThan(0);
    expect(await survivors(result.descendants)).toEqual([]);
    expect(privateDirectoriesOf(result.pid)).toEqual([]);
  });

  it('SIGINT ends caisson call with 130 and leaves nothing behind', async () => {
    const result = await runCli(['call', 'shell', '--args', '{"command":"while true; do :; done"}'], {
      onStart: (pid) => setTimeout(() => process.kill(pid, 'SIGINT'), 1_500),
    });
    expect(result.code).toBe(130);
    expect(await survivors(result.descendants)).toEqual([]);
    expect(privateDirectoriesOf(result.pid)).toEqual([]);
  });

  it('SIGKILL of the command line leaves no process behind', async () => {
    const result = await runCli(['shell'], {
      input: INPUT,
      when: { until: 'started', act: (pid) => setTimeout(() => process.kill(pid, 'SIGKILL'), 200) },
    });
    expect(result.code).toBe(null);
    expect(await survivors(result.descendants)).toEqual([]);
  });
});
