import { expect } from 'vitest';
import { type Attacks, codeOf } from './attack.js';

/** Through searches. */
export const searchAttacks: Attacks = {
  'SRCH-001': async ({ sandbox }) => {
    await sandbox.fs.writeFile('redos', `${'a'.repeat(40)}!\n`);
    const start = performance.now();
    const outcome = await codeOf(sandbox.fs.grep('(a+)+$', { timeoutMs: 2_000 }));
    expect(['resolved', 'timeout']).toContain(outcome);
    expect(performance.now() - start).toBeLessThan(5_000);
    // Small reads do not wait for it, and the next search works.
    expect((await sandbox.fs.grep('a!')).matches.length).toBeGreaterThan(0);
    await sandbox.fs.remove('redos');
  },
  'SRCH-002': async ({ sandbox }) => {
    await sandbox.fs.writeFile('dashes', '--pre=sh -c id\n-f/etc/passwd\n');
    expect((await sandbox.fs.grep('--pre=sh -c id')).matches.map(({ path }) => path)).toEqual(['dashes']);
    expect((await sandbox.fs.grep('-f/etc/passwd')).matches.length).toBe(1);
    expect(await codeOf(sandbox.fs.grep('x', { path: '--files' }))).toBe('not_found');
  },
  'SRCH-003': async ({ sandbox }) => {
    await sandbox.fs.writeFile('.ripgreprc', '--pre=/workspace/evil\n');
    await sandbox.fs.writeFile('evil', '#!/bin/sh\ntouch /workspace/canary\n', { mode: 0o755 });
    await sandbox.fs.grep('anything');
    expect(await sandbox.fs.stat('canary')).toBe(null);
    expect((await sandbox.exec('echo "${RIPGREP_CONFIG_PATH-unset}"')).stdout).toBe('unset\n');
  },
  'SRCH-005': async ({ sandbox }) => {
    for (const pattern of ['foo(', '[', 'a{65536,65537}', '('.repeat(1_000_000)]) {
      expect([pattern.slice(0, 20), await codeOf(sandbox.fs.grep(pattern, { timeoutMs: 5_000 }))]).toEqual([
        pattern.slice(0, 20),
        'bad_pattern',
      ]);
    }
  },
};
