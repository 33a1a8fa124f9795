import { utf8 } from '../../bytes.js';
import type { Contract } from '../../contract.js';

/** stat, list, mkdir, remove, rename. */
export function describeTree({ describe, check, expect }: Contract): void {
  describe('stat', () => {
    check('a file has a type, a size in bytes, a mode, a time and a version', async ({ sandbox, dir }) => {
      const before = Date.now();
      await sandbox.fs.writeFile(`${dir}/file`, 'grüße', { mode: 0o640 });
      const stat = await sandbox.fs.stat(`${dir}/file`);
      expect([stat?.type, stat?.size, stat?.mode]).toEqual(['file', 7, 0o640]);
      expect(Math.abs((stat?.mtimeMs ?? 0) - before)).toBeLessThan(60_000);
      expect(typeof stat?.version).toBe('string');
    });

    check('directories and links are seen, links followed, missing things null', async ({ sandbox, dir }) => {
      await sandbox.exec('mkdir sub; echo x > sub/file; ln -s sub link; ln -s missing dangling', { cwd: dir });
      expect((await sandbox.fs.stat(`${dir}/sub`))?.type).toBe('directory');
      expect((await sandbox.fs.stat(`${dir}/link`))?.type).toBe('directory');
      expect((await sandbox.fs.stat(`${dir}/link/file`))?.type).toBe('file');
      expect(await sandbox.fs.stat(`${dir}/missing`)).toBe(null);
      expect(await sandbox.fs.stat(`${dir}/dangling`)).toBe(null);
      expect((await sandbox.fs.stat('.'))?.type).toBe('directory');
    });

    check('modes set by a command are seen', async ({ sandbox, dir }) => {
      await sandbox.exec('echo x > file; chmod 751 file', { cwd: dir });
      expect((await sandbox.fs.stat(`${dir}/file`))?.mode).toBe(0o751);
    });
  });

  describe('list', () => {
    check('entries come in name order with type, size and link target, hidden ones too', async ({ sandbox, dir }) => {
      await sandbox.exec(
        "mkdir b-dir; printf 12345 > c-file; echo x > .hidden; ln -s c-file a-link; echo y > 'd file'",
        { cwd: dir },
      );
      const entries = await sandbox.fs.list(dir);
      expect(entries?.map(({ name, type }) => [name, type])).toEqual([
        ['.hidden', 'file'],
        ['a-link', 'symlink'],
        ['b-dir', 'directory'],
        ['c-file', 'file'],
        ['d file', 'file'],
      ]);
      expect(entries?.find(({ name }) => name === 'c-file')?.size).toBe(5);
      expect(entries?.find(({ name }) => name === 'a-link')?.target).toBe('c-file');
    });

    check(
      'an empty directory lists as empty, a missing one as null, a file is refused with not_directory',
      async ({ sandbox, dir, failure }) => {
        await sandbox.fs.mkdir(`${dir}/empty`);
        await sandbox.fs.writeFile(`${dir}/file`, 'x');
        expect(await sandbox.fs.list(`${dir}/empty`)).toEqual([]);
        expect(await sandbox.fs.list(`${dir}/empty/`)).toEqual([]);
        expect(await sandbox.fs.list(`${dir}/missing`)).toBe(null);
        const error = await failure(sandbox.fs.list(`${dir}/file`));
        expect(error.code).toBe('not_directory');
        expect(error.message).toContain('file');
      },
    );

    check('a thousand entries are all listed', async ({ sandbox, dir }) => {
      await sandbox.exec('for i in $(seq 1000); do : > "f$i"; done', { cwd: dir });
      const names = (await sandbox.fs.list(dir))?.map(({ name }) => name) ?? [];
      expect(names.length).toBe(1000);
      expect(names).toEqual(Array.from({ length: 1000 }, (_, index) => `f${index + 1}`).sort());
    });

    check('absolute and relative paths list the same', async ({ sandbox, dir }) => {
      await sandbox.fs.writeFile(`${dir}/file`, 'x');
      expect((await sandbox.fs.list(`/workspace/${dir}`))?.map(({ name }) => name)).toEqual(['file']);
      expect(await sandbox.fs.list(`/workspace/${dir}`)).toEqual(await sandbox.fs.list(dir));
    });
  });

  describe('mkdir', () => {
    check('parents are made, and a directory that is there is no error', async ({ sandbox, dir }) => {
      await sandbox.fs.mkdir(`${dir}/a/b/c`);
      await sandbox.fs.mkdir(`${dir}/a/b/c`);
      expect((await sandbox.exec('cd a/b/c && pwd', { cwd: dir })).stdout).toBe(`/workspace/${dir}/a/b/c\n`);
    });

    check('a file in the way is refused with exists', async ({ sandbox, dir, failure }) => {
      await sandbox.fs.writeFile(`${dir}/file`, 'x');
      expect((await failure(sandbox.fs.mkdir(`${dir}/file`))).code).toBe('exists');
      expect(['exists', 'not_directory']).toContain((await failure(sandbox.fs.mkdir(`${dir}/file/below`))).code);
    });
  });

  describe('remove', () => {
    check('removing says whether something was there', async ({ sandbox, dir }) => {
      await sandbox.fs.writeFile(`${dir}/file`, 'x');
      expect(await sandbox.fs.remove(`${dir}/file`)).toBe(true);
      expect(await sandbox.fs.remove(`${dir}/file`)).toBe(false);
      expect((await sandbox.exec('ls', { cwd: dir })).stdout).toBe('');
    });

    check('a filled directory needs recursive, an empty one does not', async ({ sandbox, dir, failure }) => {
      await sandbox.exec('mkdir -p full/deep empty; echo x > full/deep/file', { cwd: dir });
      expect((await failure(sandbox.fs.remove(`${dir}/full`))).code).toBe('not_empty');
      expect((await sandbox.fs.stat(`${dir}/full/deep/file`))?.type).toBe('file');
      expect(await sandbox.fs.remove(`${dir}/empty`)).toBe(true);
      expect(await sandbox.fs.remove(`${dir}/full`, { recursive: true })).toBe(true);
      expect(await sandbox.fs.stat(`${dir}/full`)).toBe(null);
    });

    check('a link is removed, not followed', async ({ sandbox, dir }) => {
      await sandbox.exec('mkdir target; echo x > target/file; ln -s target link; ln -s missing dangling', { cwd: dir });
      expect(await sandbox.fs.remove(`${dir}/link`, { recursive: true })).toBe(true);
      expect(await sandbox.fs.remove(`${dir}/dangling`)).toBe(true);
      expect((await sandbox.fs.stat(`${dir}/target/file`))?.type).toBe('file');
    });

    check('the workspace itself cannot be removed', async ({ sandbox, dir, failure }) => {
      await sandbox.fs.writeFile(`${dir}/file`, 'x');
      await failure(sandbox.fs.remove('.', { recursive: true }));
      expect((await sandbox.fs.stat(`${dir}/file`))?.type).toBe('file');
    });
  });

  describe('rename', () => {
    check('a file moves with its content and mode, replacing a file', async ({ sandbox, dir }) => {
      await sandbox.fs.writeFile(`${dir}/from`, 'moved', { mode: 0o755 });
      await sandbox.fs.writeFile(`${dir}/to`, 'old');
      await sandbox.fs.rename(`${dir}/from`, `${dir}/to`);
      expect(utf8(await sandbox.fs.readFile(`${dir}/to`))).toBe('moved');
      expect((await sandbox.fs.stat(`${dir}/to`))?.mode).toBe(0o755);
      expect(await sandbox.fs.stat(`${dir}/from`)).toBe(null);
    });

    check('a directory moves with what is in it', async ({ sandbox, dir }) => {
      await sandbox.exec('mkdir -p from/deep; echo x > from/deep/file', { cwd: dir });
      await sandbox.fs.rename(`${dir}/from`, `${dir}/to`);
      expect((await sandbox.exec('cat to/deep/file; ls', { cwd: dir })).stdout).toBe('x\nto\n');
    });

    check('a missing source is not_found, a filled directory is not replaced', async ({ sandbox, dir, failure }) => {
      await sandbox.exec('mkdir full other; echo x > full/file; echo y > plain', { cwd: dir });
      expect((await failure(sandbox.fs.rename(`${dir}/missing`, `${dir}/x`))).code).toBe('not_found');
      await failure(sandbox.fs.rename(`${dir}/other`, `${dir}/full`));
      await failure(sandbox.fs.rename(`${dir}/plain`, `${dir}/full`));
      expect((await sandbox.exec('cat full/file plain', { cwd: dir })).stdout).toBe('x\ny\n');
    });

    check('a failure names the path that is to blame', async ({ sandbox, dir, failure }) => {
      await sandbox.exec('mkdir full other; echo x > full/file; echo y > plain', { cwd: dir });
      const blamed = async (from: string, to: string) => {
        const error = await failure(sandbox.fs.rename(`${dir}/${from}`, `${dir}/${to}`));
        const path = String(error.path);
        expect(error.message).toContain(`'${path}'`);
        return `${error.code} ${path.slice(path.lastIndexOf(dir) + dir.length + 1)}`;
      };
      expect(await blamed('missing', 'x')).toBe('not_found missing');
      expect(await blamed('plain/x', 'x')).toBe('not_directory plain/x');
      expect(await blamed('plain', 'missing/x')).toBe('not_found missing/x');
      expect(await blamed('plain', 'full/file/x')).toBe('not_directory full/file/x');
      expect(await blamed('plain', 'full')).toBe('is_directory full');
      expect(await blamed('other', 'full')).toBe('not_empty full');
      expect(await blamed('other', 'plain')).toBe('not_directory plain');
    });

    check(
      'a target in a directory that may not be written is to blame',
      async ({ sandbox, dir, failure }) => {
        await sandbox.exec('mkdir closed open; echo x > file; echo x > open/file; chmod 555 closed', { cwd: dir });
        for (const from of ['file', 'open/file']) {
          const error = await failure(sandbox.fs.rename(`${dir}/${from}`, `${dir}/closed/x`));
          expect(error.code).toBe('access_denied');
          expect(String(error.path)).toContain('closed/x');
        }
        expect((await sandbox.exec('cat file open/file; chmod 755 closed', { cwd: dir })).stdout).toBe('x\nx\n');
      },
      { needs: ['fileModes'] },
    );
  });
}
