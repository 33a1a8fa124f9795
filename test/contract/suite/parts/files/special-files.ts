import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Contract } from '../../contract.js';

const run = promisify(execFile);

/** FIFOs, sockets and devices are refused at once: a read of one must not hang. */
export function describeSpecialFiles({ describe, check, expect, mode }: Contract): void {
  describe('special files', () => {
    check(
      'a FIFO and a socket in the workspace are refused with not_regular_file, and searching steps over them',
      async ({ open, workspace, failure }) => {
        const root = await workspace();
        await run('mkfifo', [join(root, 'fifo')]);
        const server = createServer().listen(join(root, 'socket'));
        try {
          const session = await open({ workspaceMode: mode, workspace: root });
          await session.fs.writeFile('plain', 'needle\n');
          for (const name of ['fifo', 'socket']) {
            expect([name, (await failure(session.fs.readFile(name))).code]).toEqual([name, 'not_regular_file']);
            expect([name, (await failure(session.fs.writeFile(name, 'x'))).code]).toEqual([name, 'not_regular_file']);
            expect([name, (await session.fs.stat(name))?.type]).toEqual([name, 'other']);
          }
          expect((await session.fs.grep('needle')).matches.map(({ path }) => path)).toEqual(['plain']);
          expect((await session.fs.list('.'))?.map(({ name, type }) => [name, type])).toEqual([
            ['fifo', 'other'],
            ['plain', 'file'],
            ['socket', 'other'],
          ]);
          expect(await session.fs.remove('fifo')).toBe(true);
        } finally {
          server.close();
        }
      },
      { needs: ['a workspace on the host'] },
    );

    check(
      'a command that opens a FIFO from the host does not hang beyond its timeout',
      async ({ open, workspace }) => {
        const root = await workspace();
        await run('mkfifo', [join(root, 'fifo')]);
        const session = await open({ workspaceMode: mode, workspace: root });
        const result = await session.exec('cat fifo', { timeoutMs: 1_000 });
        expect(result.exitCode === 0).toBe(false);
        expect((await session.exec('echo next')).stdout).toBe('next\n');
      },
      { needs: ['a workspace on the host'] },
    );

    check(
      'a FIFO that a command made is refused with not_regular_file',
      async ({ sandbox, dir, failure }) => {
        await sandbox.exec('mkfifo ff', { cwd: dir });
        expect((await failure(sandbox.fs.readFile(`${dir}/ff`))).code).toBe('not_regular_file');
        expect((await sandbox.fs.grep('x', { path: dir })).matches).toEqual([]);
      },
      { needs: ['specialFiles'] },
    );

    check('links to devices are never read', async ({ sandbox, dir, failure }) => {
      await sandbox.exec('ln -s /dev/zero zero; ln -s /dev/stdin stdin; ln -s /proc/self/fd/0 fd', { cwd: dir });
      for (const name of ['zero', 'stdin', 'fd']) {
        expect(['path_escape', 'not_regular_file']).toContain(
          (await failure(sandbox.fs.readFile(`${dir}/${name}`))).code,
        );
      }
    });
  });
}
