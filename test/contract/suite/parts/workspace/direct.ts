import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Contract } from '../../contract.js';

export function describeDirect({ check, expect, mode }: Contract): void {
  const needs = ['workspaceMode: direct'] as const;

  check(
    'direct: the sandbox works on the very files of the host, in both directions',
    async ({ sandbox, dir, hostDir = '' }) => {
      await writeFile(join(hostDir, 'from-host'), 'host\n');
      expect((await sandbox.exec('cat from-host; echo shell > from-shell', { cwd: dir })).stdout).toBe('host\n');
      await sandbox.fs.writeFile(`${dir}/from-call`, 'call');
      expect(await readFile(join(hostDir, 'from-shell'), 'utf8')).toBe('shell\n');
      expect(await readFile(join(hostDir, 'from-call'), 'utf8')).toBe('call');
      await sandbox.fs.remove(`${dir}/from-host`);
      expect((await readdir(hostDir)).sort()).toEqual(['from-call', 'from-shell']);
    },
    { needs },
  );

  check(
    'direct: what the sandbox writes belongs to the owner of the workspace and is never set-uid',
    async ({ sandbox, dir, hostDir = '' }) => {
      await sandbox.exec('echo x > made; chmod 4755 made', { cwd: dir });
      const made = await stat(join(hostDir, 'made'));
      expect(made.uid).toBe((await stat(hostDir)).uid);
      if (made.uid === 0) expect(made.mode & 0o6000).toBe(0);
    },
    { needs },
  );

  check(
    'direct: /tmp and the home directory are not in the workspace',
    async ({ open, workspace }) => {
      const root = await workspace();
      const session = await open({ workspace: root });
      const result = await session.exec(
        'echo x > /tmp/scratch-file && echo y > ~/home-file && cat /tmp/scratch-file ~/home-file',
      );
      expect(result.stdout).toBe('x\ny\n');
      expect(await readdir(root, { recursive: true })).toEqual([]);
    },
    { needs },
  );

  check(
    'direct: changes(), commit() and discard() are unsupported',
    async ({ sandbox, failure }) => {
      expect((await failure(sandbox.changes())).code).toBe('unsupported');
      expect((await failure(sandbox.commit())).code).toBe('unsupported');
      expect((await failure(sandbox.discard())).code).toBe('unsupported');
    },
    { needs },
  );

  check(
    'a workspace that does not exist, or is a file, is refused and named',
    async ({ open, workspace }) => {
      const root = await workspace();
      await writeFile(join(root, 'file'), '');
      for (const name of ['missing', 'file']) {
        const outcome = await (async () => {
          const session = await open({ workspaceMode: mode, workspace: join(root, name) });
          await session.start();
          return { message: 'started', name: '' };
        })().catch((error: Error) => error);
        expect(outcome.name).not.toBe('');
        expect(outcome.message).toContain(name);
      }
    },
    { needs: ['a workspace on the host'] },
  );
}
