import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { privateDirectoriesOf, runCli, survivors } from './run-cli.js';
import { createWorkspace } from './workspace.js';

describe('caisson demo', () => {
  it('goes as it should, shows every call, and leaves nothing behind', { timeout: 60_000 }, async () => {
    await using temporary = await createWorkspace();
    const result = await runCli(['demo'], { env: { TMPDIR: temporary.path } });
    expect(result.stderr).toBe('');
    expect(result.stdout).not.toContain('✗');
    expect(result.stdout).toContain('Everything went as it should');
    expect(result.code).toBe(0);
    expect(await readdir(temporary.path)).toEqual([]);
    expect(await survivors(result.descendants)).toEqual([]);
    expect(privateDirectoriesOf(result.pid)).toEqual([]);
  });

  it('--json holds every step the issue of a sandbox is about', { timeout: 60_000 }, async () => {
    const report = JSON.parse((await runCli(['demo', '--json'])).stdout);
    expect(report).toMatchObject({ ok: true, leaks: 0, untouched: true });
    const kinds = report.steps.map((step: { outcome: { status: string; error?: { kind: string } } }) =>
      step.outcome.status === 'error' ? step.outcome.error?.kind : step.outcome.status,
    );
    for (const kind of ['ok', 'denied', 'execution', 'awaiting-approval', 'not-found', 'validation', 'sandbox']) {
      expect(kinds).toContain(kind);
    }
  });
});
