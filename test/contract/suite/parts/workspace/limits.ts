import { utf8 } from '../../bytes.js';
import type { Contract } from '../../contract.js';

export function describeLimits({ check, expect, mode }: Contract): void {
  const workspaceMode = mode === 'direct' ? 'memory' : mode;
  const MiB = 1024 * 1024;

  check(
    'a full disk is no_space for calls, an error for commands, and leaves what was there',
    async ({ open, failure }) => {
      const session = await open({ workspaceMode, limits: { maxDiskBytes: 8 * MiB } });
      await session.fs.writeFile('kept', 'kept\n');
      expect((await failure(session.fs.writeFile('big', new Uint8Array(9 * MiB)))).code).toBe('no_space');
      await session.fs.writeFile('block', new Uint8Array(MiB));
      const result = await session.exec('i=0; while [ $i -lt 20 ]; do cat block >> fill || exit 9; i=$((i+1)); done', {
        timeoutMs: 20_000,
      });
      expect(result.exitCode === 0).toBe(false);
      expect(utf8(await session.fs.readFile('kept'))).toBe('kept\n');
      expect((await session.exec('rm fill block; echo room > again; cat again')).stdout).toBe('room\n');
    },
    { needs: ['limits.maxDiskBytes'], timeoutMs: 60_000 },
  );

  check(
    'too many files are no_space or quota_exceeded, and removing some makes room',
    async ({ open, failure }) => {
      const session = await open({ workspaceMode, limits: { maxDiskEntries: 50 } });
      const result = await session.exec('for i in $(seq 200); do : > "f$i" || exit 9; done');
      expect(result.exitCode === 0).toBe(false);
      expect(['no_space', 'quota_exceeded']).toContain((await failure(session.fs.writeFile('one-more', 'x'))).code);
      expect((await session.exec('rm f1 f2 f3; echo room > again; cat again')).stdout).toBe('room\n');
    },
    { needs: ['limits.maxDiskEntries'] },
  );
}
