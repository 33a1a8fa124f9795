import { describe, expect, it } from 'vitest';
import { runCli } from './run-cli.js';

describe('caisson doctor', () => {
  it('says that the isolate works, and the default limits', async () => {
    const { code, stdout } = await runCli(['doctor']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/✓ isolate\s+first result after \d+ ms/);
    expect(stdout).toMatch(/memoryBytes\s+2048 MiB/);
    expect(stdout).toMatch(/timeoutMs\s+120 s/);
    expect(stdout).toMatch(/hardLifeMs\s+24 h/);
  });

  it('--json has checks, backends and limits', async () => {
    const { code, stdout } = await runCli(['doctor', '--json']);
    expect(code).toBe(0);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ ok: true, limits: { timeoutMs: 120_000, maxProcesses: 512 } });
    expect(report.backends).toContainEqual(expect.objectContaining({ name: 'isolate', works: true }));
    const names = report.checks.map((check: { name: string }) => check.name);
    expect(names).toEqual(['node', 'isolated-vm', 'user', 'private state', 'snapshot cache']);
  });
});

describe('caisson under another Node', () => {
  const pretend = (version: string) => [
    '--import',
    `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`,
  ];

  it.each(['20.20.2', '22.1.0', '25.0.0'])('%s: prints the fix, loads nothing and exits with 4', async (version) => {
    const { code, stdout, stderr } = await runCli(['doctor'], { nodeArgs: pretend(version) });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toContain(`this is ${version}`);
    expect(stderr).toContain('npx --package=node@24');
  });

  it('26 is welcome', async () => {
    expect((await runCli(['--version'], { nodeArgs: pretend('26.0.0') })).code).toBe(0);
  });
});
