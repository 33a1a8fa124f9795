import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { utf8 } from '../../bytes.js';
import type { Contract, Scope } from '../../contract.js';

/** Nothing outside the workspace is reached through `fs`, by no spelling and through no link. */
export function describeConfinement({ describe, check, expect, mode }: Contract): void {
  describe('confinement', () => {
    check('paths out of the workspace are refused with path_escape by every file call', async (scope) => {
      const paths = [
        '/etc/passwd',
        '../../etc/passwd',
        `${scope.dir}/../../etc/passwd`,
        '/workspace-evil/x',
        '/workspace2',
        '/workspace/../etc',
        '/',
        '/proc/self/environ',
        '/tmp/x',
      ];
      for (const path of paths) {
        for (const [name, code] of await outcomes(scope, path))
          expect([path, name, code]).toEqual([path, name, 'path_escape']);
      }
    });

    check('a link out of the workspace is never read or written through', async (scope) => {
      const { sandbox, dir } = scope;
      await sandbox.exec(
        'ln -s /etc/passwd absolute; ln -s ../../etc/passwd relative; ln -s /etc/passwd chain1; ln -s chain1 chain2',
        { cwd: dir },
      );
      for (const name of ['absolute', 'relative', 'chain2']) {
        const path = `${dir}/${name}`;
        expect([name, (await scope.failure(sandbox.fs.readFile(path))).code]).toEqual([name, 'path_escape']);
        expect([name, (await scope.failure(sandbox.fs.writeFile(path, 'x'))).code]).toEqual([name, 'path_escape']);
      }
      expect((await sandbox.fs.list(dir))?.map(({ type }) => type)).toEqual([
        'symlink',
        'symlink',
        'symlink',
        'symlink',
      ]);
    });

    check(
      'a new file, a directory or a target of rename below a linked directory is refused',
      async ({ sandbox, dir, failures }) => {
        await sandbox.exec('ln -s /tmp out; echo x > file', { cwd: dir });
        const calls = [
          sandbox.fs.writeFile(`${dir}/out/new-${dir}`, 'x'),
          sandbox.fs.mkdir(`${dir}/out/new-${dir}`),
          sandbox.fs.rename(`${dir}/file`, `${dir}/out/new-${dir}`),
          sandbox.fs.list(`${dir}/out`),
          sandbox.fs.stat(`${dir}/out/new-${dir}`),
          sandbox.fs.remove(`${dir}/out/new-${dir}`),
          sandbox.fs.readFile(`${dir}/out/new-${dir}`),
        ];
        for (const { code } of await failures(calls)) expect(code).toBe('path_escape');
        expect((await sandbox.exec(`ls -d /tmp/new-${dir}`)).stdout).toBe('');
        expect(utf8(await sandbox.fs.readFile(`${dir}/file`))).toBe('x\n');
      },
    );

    check('nothing is created through a dangling link', async ({ sandbox, dir, failure }) => {
      await sandbox.exec(`ln -s /tmp/made-${dir} dangling`, { cwd: dir });
      expect((await failure(sandbox.fs.writeFile(`${dir}/dangling`, 'x'))).code).toBe('path_escape');
      expect((await sandbox.exec(`ls /tmp/made-${dir}`)).stdout).toBe('');
    });

    check('a loop of links is an error or nothing, never a hang', async ({ sandbox, dir }) => {
      await sandbox.exec('ln -s loop2 loop1; ln -s loop1 loop2', { cwd: dir });
      const outcome = await sandbox.fs.readFile(`${dir}/loop1`).catch((error: { code?: unknown }) => typeof error.code);
      expect([null, 'string']).toContain(outcome);
    });

    check('links inside the workspace work, absolute ones too', async ({ sandbox, dir }) => {
      await sandbox.exec(
        `mkdir sub; echo in > sub/file; ln -s sub/file relative; ln -s /workspace/${dir}/sub absolute`,
        { cwd: dir },
      );
      expect(utf8(await sandbox.fs.readFile(`${dir}/relative`))).toBe('in\n');
      expect(utf8(await sandbox.fs.readFile(`${dir}/absolute/file`))).toBe('in\n');
      expect((await sandbox.exec('cat relative absolute/file', { cwd: dir })).stdout).toBe('in\nin\n');
    });

    check(
      'a link that the host made to one of its own files leads neither calls nor commands there',
      async ({ open, workspace, failure }) => {
        const outside = await workspace();
        await writeFile(join(outside, 'secret.txt'), 'host-canary-51d3');
        const root = await workspace();
        await mkdir(join(root, 'sub'));
        await symlink(join(outside, 'secret.txt'), join(root, 'link'));
        await symlink(outside, join(root, 'sub', 'dirlink'));
        const session = await open({ workspaceMode: mode, workspace: root });
        for (const path of ['link', 'sub/dirlink/secret.txt']) {
          const read = await session.fs.readFile(path).then(utf8, (error: { code?: unknown }) => String(error.code));
          expect([path, read]).toEqual([path, 'path_escape']);
          const cat = await session.exec(`cat ${path}`);
          expect([path, `${cat.stdout}${cat.stderr}`.includes('host-canary')]).toEqual([path, false]);
          await failure(session.fs.writeFile(path, 'overwritten'));
          await session.exec(`echo overwritten > ${path}`);
        }
        await session.exec('cp -r . /tmp/copy; grep -r canary . /tmp/copy');
        expect((await session.fs.grep('host-canary')).matches).toEqual([]);
        expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe('host-canary-51d3');
      },
      { needs: ['a workspace on the host'] },
    );

    check(
      "a twin of the workspace's name beside it is not reached",
      async ({ open, workspace }) => {
        const root = await workspace();
        await mkdir(join(root, 'project'));
        await mkdir(join(root, 'project-evil'));
        await writeFile(join(root, 'project-evil', 'file'), 'twin-canary');
        const session = await open({ workspaceMode: mode, workspace: join(root, 'project') });
        for (const path of ['../project-evil/file', '/workspace/../project-evil/file', '/workspace-evil/file']) {
          const read = await session.fs.readFile(path).then(utf8, (error: { code?: unknown }) => String(error.code));
          expect([path, read]).toEqual([path, 'path_escape']);
        }
        expect((await session.exec('cat ../project-evil/file ../project*/file')).stdout).toBe('');
      },
      { needs: ['a workspace on the host'] },
    );
  });
}

async function outcomes({ sandbox, failure }: Scope, path: string): Promise<[string, unknown][]> {
  const { fs } = sandbox;
  const calls: [string, Promise<unknown>][] = [
    ['readFile', fs.readFile(path)],
    ['writeFile', fs.writeFile(path, 'x')],
    ['stat', fs.stat(path)],
    ['list', fs.list(path)],
    ['mkdir', fs.mkdir(path)],
    ['remove', fs.remove(path)],
    ['rename from', fs.rename(path, 'renamed')],
    ['rename to', fs.writeFile('to-rename', 'x').then(() => fs.rename('to-rename', path))],
    ['glob', fs.glob('*', { cwd: path })],
    ['grep', fs.grep('x', { path })],
  ];
  return Promise.all(calls.map(async ([name, call]): Promise<[string, unknown]> => [name, (await failure(call)).code]));
}
