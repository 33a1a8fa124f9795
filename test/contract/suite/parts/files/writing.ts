import { digest, patternBytes, plain, utf8 } from '../../bytes.js';
import type { Contract } from '../../contract.js';

const MiB = 1024 * 1024;
const kinds = [
  ['text', (text: string) => text],
  ['bytes', (text: string) => new TextEncoder().encode(text)],
] as const;

export function describeWriting({ describe, check, expect }: Contract): void {
  describe('writing', () => {
    for (const [kind, data] of kinds) {
      check(`an empty write of ${kind} makes an empty file`, async ({ sandbox, dir }) => {
        await sandbox.fs.writeFile(`${dir}/empty`, data(''));
        expect(plain(await sandbox.fs.readFile(`${dir}/empty`))).toEqual([]);
        expect((await sandbox.exec('wc -c < empty', { cwd: dir })).stdout.trim()).toBe('0');
      });

      check(`a name with spaces holds ${kind}`, async ({ sandbox, dir }) => {
        await sandbox.fs.writeFile(`${dir}/a file with spaces`, data('spaced'));
        expect((await sandbox.exec("cat 'a file with spaces'", { cwd: dir })).stdout).toBe('spaced');
      });

      check(
        `writing ${kind} onto a directory is refused with is_directory, naming it`,
        async ({ sandbox, dir, failure }) => {
          await sandbox.fs.mkdir(`${dir}/sub`);
          const error = await failure(sandbox.fs.writeFile(`${dir}/sub`, data('x')));
          expect(error.code).toBe('is_directory');
          expect(error.message).toContain('sub');
          expect((await sandbox.fs.stat(`${dir}/sub`))?.type).toBe('directory');
        },
      );

      check(
        `writing ${kind} to a file without write permission is refused with access_denied, naming it`,
        async ({ sandbox, dir, failure }) => {
          await sandbox.exec('echo kept > closed; chmod a-w closed', { cwd: dir });
          const error = await failure(sandbox.fs.writeFile(`${dir}/closed`, data('x')));
          expect(error.code).toBe('access_denied');
          expect(error.message).toContain('closed');
          expect((await sandbox.exec('cat closed', { cwd: dir })).stdout).toBe('kept\n');
        },
        { needs: ['fileModes'] },
      );

      check(`writing ${kind} replaces what is there, longer or shorter`, async ({ sandbox, dir }) => {
        await sandbox.fs.writeFile(`${dir}/file`, data('a long first content\n'));
        await sandbox.fs.writeFile(`${dir}/file`, data('short'));
        expect((await sandbox.exec('cat file', { cwd: dir })).stdout).toBe('short');
      });
    }

    check('missing parents of an absolute path are created', async ({ sandbox, dir }) => {
      await sandbox.fs.writeFile(`/workspace/${dir}/a/b/c/file`, 'deep');
      expect((await sandbox.exec('cat a/b/c/file', { cwd: dir })).stdout).toBe('deep');
    });

    check('missing parents of a relative path are created', async ({ sandbox, dir }) => {
      await sandbox.fs.writeFile(`${dir}/a/b/c/file`, 'deep');
      expect((await sandbox.exec('cat a/b/c/file', { cwd: dir })).stdout).toBe('deep');
    });

    check('a file in the way of a parent is refused', async ({ sandbox, dir, failure }) => {
      await sandbox.fs.writeFile(`${dir}/file`, 'x');
      const error = await failure(sandbox.fs.writeFile(`${dir}/file/below`, 'y'));
      expect(['not_directory', 'exists']).toContain(error.code);
      expect(utf8(await sandbox.fs.readFile(`${dir}/file`))).toBe('x');
    });

    check(
      'special characters, backslashes and consecutive slashes are written as they are',
      async ({ sandbox, dir }) => {
        const content = '"double" \'single\' \\ \\n $HOME `id` $(id) %s \t \r\n\u0000\u001b[31m\n';
        await sandbox.fs.writeFile(`${dir}//sub///file`, content);
        expect(utf8(await sandbox.fs.readFile(`${dir}/sub/file`))).toBe(content);
      },
    );

    check('spaces only, line ends only and a thousand lines are kept', async ({ sandbox, dir }) => {
      const thousand = Array.from({ length: 1000 }, (_, index) => `line ${index + 1}\n`).join('');
      for (const content of ['   ', '\n\n\n', thousand]) {
        await sandbox.fs.writeFile(`${dir}/file`, content);
        expect(utf8(await sandbox.fs.readFile(`${dir}/file`))).toBe(content);
      }
    });

    check('a new file is 0644, mode is kept on replacing, and mode can be given', async ({ sandbox, dir }) => {
      await sandbox.fs.writeFile(`${dir}/new`, 'x');
      expect((await sandbox.fs.stat(`${dir}/new`))?.mode).toBe(0o644);
      await sandbox.fs.writeFile(`${dir}/script`, 'x', { mode: 0o755 });
      await sandbox.fs.writeFile(`${dir}/script`, 'y');
      expect((await sandbox.fs.stat(`${dir}/script`))?.mode).toBe(0o755);
      await sandbox.exec('chmod 600 new', { cwd: dir });
      await sandbox.fs.writeFile(`${dir}/new`, 'y');
      expect((await sandbox.fs.stat(`${dir}/new`))?.mode).toBe(0o600);
    });

    check('a reader sees the old or the new content, never a part', async ({ sandbox, dir }) => {
      const contents = ['a', 'b'].map((letter) => letter.repeat(200_000));
      await sandbox.fs.writeFile(`${dir}/file`, contents[0] ?? '');
      let writing = true;
      const writes = (async () => {
        for (let round = 0; round < 30; round += 1)
          await sandbox.fs.writeFile(`${dir}/file`, contents[round % 2] ?? '');
        writing = false;
      })();
      const torn: string[] = [];
      while (writing) {
        const seen = utf8(await sandbox.fs.readFile(`${dir}/file`)) ?? 'missing';
        if (!contents.includes(seen)) torn.push(`${seen.length} ${seen.slice(0, 10)}`);
      }
      await writes;
      expect(torn).toEqual([]);
      expect((await sandbox.fs.list(dir))?.map(({ name }) => name)).toEqual(['file']);
    });

    check(
      'a write through one name leaves a hard link to it as it was or follows it, and never half',
      async ({ sandbox, dir }) => {
        await sandbox.exec('echo old > one; ln one two', { cwd: dir });
        await sandbox.fs.writeFile(`${dir}/one`, 'new\n');
        expect(utf8(await sandbox.fs.readFile(`${dir}/one`))).toBe('new\n');
        expect(['old\n', 'new\n']).toContain(utf8(await sandbox.fs.readFile(`${dir}/two`)));
      },
    );

    check('a write follows a link inside the workspace and keeps the link', async ({ sandbox, dir }) => {
      await sandbox.exec('echo old > target; ln -s target link', { cwd: dir });
      await sandbox.fs.writeFile(`${dir}/link`, 'new');
      expect(utf8(await sandbox.fs.readFile(`${dir}/target`))).toBe('new');
      const entries = await sandbox.fs.list(dir);
      expect(entries?.find(({ name }) => name === 'link')?.type).toBe('symlink');
    });

    check(
      '50 MiB written by the host are what a command counts and hashes',
      async ({ sandbox, dir }) => {
        const bytes = patternBytes(50 * MiB);
        await sandbox.fs.writeFile(`${dir}/big`, bytes);
        const result = await sandbox.exec('wc -c < big; head -c 100000 big > head; tail -c 100000 big > tail', {
          cwd: dir,
        });
        expect(result.stdout.trim()).toBe(String(50 * MiB));
        expect(digest(await sandbox.fs.readFile(`${dir}/head`))).toBe(digest(bytes.subarray(0, 100_000)));
        expect(digest(await sandbox.fs.readFile(`${dir}/tail`))).toBe(digest(bytes.subarray(-100_000)));
        await sandbox.fs.remove(`${dir}/big`);
      },
      { timeoutMs: 90_000 },
    );
  });
}
