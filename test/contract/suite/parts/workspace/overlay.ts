import { lstat, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { plain, utf8 } from '../../bytes.js';
import type { Contract } from '../../contract.js';

export function describeOverlay({ check, expect }: Contract): void {
  const needs = ['workspaceMode: overlay'] as const;

  const prepare = async (root: string): Promise<void> => {
    await mkdir(join(root, 'sub/deep'), { recursive: true });
    await writeFile(join(root, 'keep.txt'), 'keep\n');
    await writeFile(join(root, 'change.txt'), 'before\n');
    await writeFile(join(root, 'delete.txt'), 'doomed\n');
    await writeFile(join(root, 'sub/deep/file.txt'), 'deep\n');
  };
  const alter =
    'echo after > change.txt; rm delete.txt; echo new > add.txt; mkdir -p made/dir; echo in > made/dir/file; rm -r sub';

  check(
    'overlay: the origin is read through, and no write reaches it',
    async ({ open, workspace }) => {
      const root = await workspace();
      await prepare(root);
      const session = await open({ workspace: root });
      expect((await session.exec('cat keep.txt sub/deep/file.txt')).stdout).toBe('keep\ndeep\n');
      await session.exec(alter);
      await session.fs.writeFile('keep.txt', 'changed by a call');
      await session.fs.rename('change.txt', 'renamed.txt');
      expect((await session.exec('cat keep.txt renamed.txt')).stdout).toBe('changed by a callafter\n');
      expect((await session.exec('ls delete.txt sub change.txt')).stdout).toBe('');
      expect((await session.fs.list('.'))?.map(({ name }) => name)).toEqual([
        'add.txt',
        'keep.txt',
        'made',
        'renamed.txt',
      ]);
      expect((await readdir(root, { recursive: true })).sort()).toEqual([
        'change.txt',
        'delete.txt',
        'keep.txt',
        'sub',
        'sub/deep',
        'sub/deep/file.txt',
      ]);
      expect(await readFile(join(root, 'keep.txt'), 'utf8')).toBe('keep\n');
    },
    { needs },
  );

  check(
    'overlay: changes() names what was added, modified and deleted, in path order, with texts',
    async ({ open, workspace }) => {
      const root = await workspace();
      await prepare(root);
      const session = await open({ workspace: root });
      expect(await session.changes()).toEqual([]);
      await session.exec(alter);
      const changes = await session.changes();
      const files = changes
        .filter(({ type }) => type === 'file')
        .map(({ path, kind, before, after }) => [path, kind, before, after]);
      expect(files).toEqual([
        ['add.txt', 'added', undefined, 'new\n'],
        ['change.txt', 'modified', 'before\n', 'after\n'],
        ['delete.txt', 'deleted', 'doomed\n', undefined],
        ['made/dir/file', 'added', undefined, 'in\n'],
        ...(files.some(([path]) => path === 'sub/deep/file.txt')
          ? [['sub/deep/file.txt', 'deleted', 'deep\n', undefined]]
          : []),
      ]);
      const paths = changes.map(({ path }) => path);
      expect(paths).toEqual([...paths].sort());
      expect(changes.some(({ path, kind }) => kind === 'deleted' && path.startsWith('sub'))).toBe(true);
    },
    { needs },
  );

  check(
    'overlay: a file written back to what it was is no change',
    async ({ open, workspace }) => {
      const root = await workspace();
      await prepare(root);
      const session = await open({ workspace: root });
      await session.exec("echo other > change.txt; printf 'before\\n' > change.txt; echo x > t; rm t");
      const changed = (await session.changes()).filter(({ type }) => type === 'file');
      expect(changed.map(({ path, before, after }) => [path, before === after])).toEqual(
        changed.length === 0 ? [] : [['change.txt', true]],
      );
    },
    { needs },
  );

  check(
    'overlay: commit() writes the changes to the origin, bytes and modes exact, and then there are none',
    async ({ open, workspace }) => {
      const root = await workspace();
      await prepare(root);
      const session = await open({ workspace: root });
      await session.exec(`${alter}; printf '\\303\\050\\000' > bytes; chmod 755 bytes; ln -s keep.txt link`);
      const result = await session.commit();
      expect([result.modified, result.deleted > 0, result.added > 0]).toEqual([1, true, true]);
      expect((await readdir(root, { recursive: true })).sort()).toEqual([
        'add.txt',
        'bytes',
        'change.txt',
        'keep.txt',
        'link',
        'made',
        'made/dir',
        'made/dir/file',
      ]);
      expect(await readFile(join(root, 'change.txt'), 'utf8')).toBe('after\n');
      expect(plain(await readFile(join(root, 'bytes')))).toEqual([0xc3, 0x28, 0]);
      expect((await stat(join(root, 'bytes'))).mode & 0o777).toBe(0o755);
      expect((await lstat(join(root, 'link'))).isSymbolicLink()).toBe(true);
      expect(await session.changes()).toEqual([]);
      expect((await session.exec('cat change.txt made/dir/file')).stdout).toBe('after\nin\n');
    },
    { needs },
  );

  check(
    'overlay: commit() refuses when the origin changed underneath, names the file and writes nothing',
    async ({ open, workspace, failure }) => {
      const root = await workspace();
      await prepare(root);
      const session = await open({ workspace: root });
      await session.exec('echo mine > change.txt; echo new > add.txt');
      await writeFile(join(root, 'change.txt'), 'theirs, longer\n');
      const error = await failure(session.commit());
      expect(error.code).toBe('stale_file');
      expect(error.message).toContain('change.txt');
      expect(await readFile(join(root, 'change.txt'), 'utf8')).toBe('theirs, longer\n');
      expect((await readdir(root)).includes('add.txt')).toBe(false);
    },
    { needs },
  );

  check(
    'overlay: discard() brings the origin back',
    async ({ open, workspace }) => {
      const root = await workspace();
      await prepare(root);
      const session = await open({ workspace: root });
      await session.exec(alter);
      await session.discard();
      expect(await session.changes()).toEqual([]);
      expect((await session.exec('cat change.txt delete.txt sub/deep/file.txt; ls')).stdout).toBe(
        'before\ndoomed\ndeep\nchange.txt\ndelete.txt\nkeep.txt\nsub\n',
      );
    },
    { needs },
  );

  check(
    'overlay: a directory that replaced a file, and a file that replaced a directory, come through',
    async ({ open, workspace }) => {
      const root = await workspace();
      await prepare(root);
      const session = await open({ workspace: root });
      await session.exec('rm keep.txt; mkdir keep.txt; echo x > keep.txt/inner; rm -r sub; echo file > sub');
      await session.commit();
      expect(await readFile(join(root, 'keep.txt/inner'), 'utf8')).toBe('x\n');
      expect(await readFile(join(root, 'sub'), 'utf8')).toBe('file\n');
    },
    { needs },
  );

  check(
    'overlay: a directory made where one was deleted does not show the old one',
    async ({ open, workspace }) => {
      const root = await workspace();
      await prepare(root);
      const session = await open({ workspace: root });
      await session.exec('rm -r sub; mkdir -p sub/deep');
      expect(await session.fs.list('sub/deep')).toEqual([]);
      expect((await session.exec('ls sub/deep')).stdout).toBe('');
    },
    { needs },
  );

  check(
    'overlay: versions and ifVersion work on files of the origin',
    async ({ open, workspace, failure }) => {
      const root = await workspace();
      await prepare(root);
      const session = await open({ workspace: root });
      const version = (await session.fs.stat('keep.txt'))?.version ?? '';
      await session.fs.writeFile('keep.txt', 'one', { ifVersion: version });
      expect((await failure(session.fs.writeFile('keep.txt', 'two', { ifVersion: version }))).code).toBe('stale_file');
      expect(utf8(await session.fs.readFile('keep.txt'))).toBe('one');
    },
    { needs },
  );
}
