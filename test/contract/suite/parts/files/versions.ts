import { utf8 } from '../../bytes.js';
import type { Contract } from '../../contract.js';

/** Compare-and-swap: what makes an edit safe. */
export function describeVersions({ describe, check, expect }: Contract): void {
  describe('versions', () => {
    check(
      'a write with the current version lands, one with an old version is stale_file and changes nothing',
      async ({ sandbox, dir, failure }) => {
        const path = `${dir}/file`;
        await sandbox.fs.writeFile(path, 'one');
        const first = (await sandbox.fs.stat(path))?.version ?? '';
        await sandbox.fs.writeFile(path, 'two', { ifVersion: first });
        const error = await failure(sandbox.fs.writeFile(path, 'three', { ifVersion: first }));
        expect([error.code, error.retryable]).toEqual(['stale_file', true]);
        expect(error.message).toContain('file');
        expect(utf8(await sandbox.fs.readFile(path))).toBe('two');
      },
    );

    check(
      'a command that changes a file makes its version stale, even to the same length',
      async ({ sandbox, dir, failure }) => {
        const path = `${dir}/file`;
        await sandbox.fs.writeFile(path, 'aaa');
        const before = (await sandbox.fs.stat(path))?.version ?? '';
        await sandbox.exec("printf 'bbb' > file", { cwd: dir });
        expect((await failure(sandbox.fs.writeFile(path, 'ccc', { ifVersion: before }))).code).toBe('stale_file');
        expect(utf8(await sandbox.fs.readFile(path))).toBe('bbb');
      },
    );

    check('an unchanged file keeps its version', async ({ sandbox, dir }) => {
      await sandbox.fs.writeFile(`${dir}/file`, 'one');
      const before = (await sandbox.fs.stat(`${dir}/file`))?.version;
      await sandbox.fs.readFile(`${dir}/file`);
      await sandbox.exec('cat file', { cwd: dir });
      expect((await sandbox.fs.stat(`${dir}/file`))?.version).toBe(before);
    });

    check('ifVersion null writes only where nothing is', async ({ sandbox, dir, failure }) => {
      await sandbox.fs.writeFile(`${dir}/new`, 'first', { ifVersion: null });
      expect((await failure(sandbox.fs.writeFile(`${dir}/new`, 'second', { ifVersion: null }))).code).toBe(
        'stale_file',
      );
      expect(utf8(await sandbox.fs.readFile(`${dir}/new`))).toBe('first');
    });

    check('a version of a file that is gone is stale', async ({ sandbox, dir, failure }) => {
      await sandbox.fs.writeFile(`${dir}/file`, 'one');
      const version = (await sandbox.fs.stat(`${dir}/file`))?.version ?? '';
      await sandbox.fs.remove(`${dir}/file`);
      expect((await failure(sandbox.fs.writeFile(`${dir}/file`, 'two', { ifVersion: version }))).code).toBe(
        'stale_file',
      );
      expect(await sandbox.fs.stat(`${dir}/file`)).toBe(null);
    });

    check('of many writers with one version exactly one wins', async ({ sandbox, dir }) => {
      const path = `${dir}/file`;
      await sandbox.fs.writeFile(path, 'start');
      const version = (await sandbox.fs.stat(path))?.version ?? '';
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          sandbox.fs.writeFile(path, `writer ${index}`, { ifVersion: version }).then(
            () => `writer ${index}`,
            (error: { code?: unknown }) => String(error.code),
          ),
        ),
      );
      const winners = outcomes.filter((outcome) => outcome.startsWith('writer'));
      expect(winners.length).toBe(1);
      expect(outcomes.filter((outcome) => outcome === 'stale_file').length).toBe(19);
      expect(utf8(await sandbox.fs.readFile(path))).toBe(winners[0]);
    });
  });
}
