import { digest, patternBytes, plain, utf8 } from '../../bytes.js';
import type { Contract } from '../../contract.js';

const MiB = 1024 * 1024;

export function describeReading({ describe, check, expect }: Contract): void {
  describe('reading', () => {
    check('text with a hash sign and a last line end comes back', async ({ sandbox, dir }) => {
      const content = 'content # not a comment\nsecond line\n';
      await sandbox.fs.writeFile(`${dir}/text`, content);
      expect(utf8(await sandbox.fs.readFile(`${dir}/text`))).toBe(content);
      expect((await sandbox.exec('cat text', { cwd: dir })).stdout).toBe(content);
    });

    check('emoji and accents come back, and the shell sees the same bytes', async ({ sandbox, dir }) => {
      await sandbox.fs.writeFile(`${dir}/text`, 'grüße 日本 😀\n');
      expect(utf8(await sandbox.fs.readFile(`${dir}/text`))).toBe('grüße 日本 😀\n');
      expect((await sandbox.exec('wc -c < text', { cwd: dir })).stdout.trim()).toBe('20');
    });

    check('UTF-8 that a command wrote from octal escapes is read as those bytes', async ({ sandbox, dir }) => {
      await sandbox.exec("printf '\\303\\251\\360\\237\\230\\200' > made", { cwd: dir });
      expect(utf8(await sandbox.fs.readFile(`${dir}/made`))).toBe('é😀');
    });

    check('bytes that are not UTF-8 come back', async ({ sandbox, dir }) => {
      await sandbox.fs.writeFile(`${dir}/bytes`, Uint8Array.from([0xc3, 0x28, 0, 0xff]));
      expect(plain(await sandbox.fs.readFile(`${dir}/bytes`))).toEqual([0xc3, 0x28, 0, 0xff]);
    });

    check(
      '50 MiB come back byte for byte',
      async ({ sandbox, dir }) => {
        const bytes = patternBytes(50 * MiB);
        await sandbox.fs.writeFile(`${dir}/big`, bytes);
        expect(digest(await sandbox.fs.readFile(`${dir}/big`))).toBe(digest(bytes));
        await sandbox.fs.remove(`${dir}/big`);
      },
      { timeoutMs: 90_000 },
    );

    check('an empty file reads as no bytes, not as a missing file', async ({ sandbox, dir }) => {
      await sandbox.exec(': > empty', { cwd: dir });
      expect(plain(await sandbox.fs.readFile(`${dir}/empty`))).toEqual([]);
    });

    check('a missing file reads as null, and so does one below a missing directory', async ({ sandbox, dir }) => {
      expect(await sandbox.fs.readFile(`${dir}/missing`)).toBe(null);
      expect(await sandbox.fs.readFile(`${dir}/no/such/dir/file`)).toBe(null);
    });

    check('a nonsense name reads as null', async ({ sandbox, dir }) => {
      expect(await sandbox.fs.readFile(`${dir}/https:/example.com/a?b=c&d`)).toBe(null);
      expect(await sandbox.fs.readFile('https://example.com/nothing')).toBe(null);
    });

    check('reading a directory is refused with is_directory, naming it', async ({ sandbox, dir, failure }) => {
      await sandbox.fs.mkdir(`${dir}/sub`);
      for (const path of [`${dir}/sub`, '.', '/workspace']) {
        const error = await failure(sandbox.fs.readFile(path));
        expect([path, error.code]).toEqual([path, 'is_directory']);
        expect(error.message).toMatch(/directory/i);
      }
      expect((await failure(sandbox.fs.readFile(`${dir}/sub`))).message).toContain('sub');
    });

    check('a path through a file reads as null or is refused with not_directory', async ({ sandbox, dir }) => {
      await sandbox.fs.writeFile(`${dir}/file`, 'x');
      const outcome = await sandbox.fs.readFile(`${dir}/file/below`).catch((error: { code?: unknown }) => error.code);
      expect([null, 'not_directory']).toContain(outcome);
    });

    check(
      'a file over maxBytes is refused with file_too_large, naming the limit',
      async ({ sandbox, dir, failure }) => {
        await sandbox.fs.writeFile(`${dir}/two-kib`, 'x'.repeat(2048));
        const error = await failure(sandbox.fs.readFile(`${dir}/two-kib`, { maxBytes: 1024 }));
        expect(error.code).toBe('file_too_large');
        expect(error.message).toContain('two-kib');
        expect(error.message.replaceAll(',', '')).toMatch(/1024|1 KiB/);
        expect((await sandbox.fs.readFile(`${dir}/two-kib`, { maxBytes: 2048 }))?.length).toBe(2048);
      },
    );

    check('absolute and relative paths name the same file', async ({ sandbox, dir }) => {
      await sandbox.fs.writeFile(`/workspace/${dir}/file`, 'same');
      for (const path of [`${dir}/file`, `./${dir}//file`, `${dir}/sub/../file`, `/workspace/./${dir}/file`]) {
        expect([path, utf8(await sandbox.fs.readFile(path))]).toEqual([path, 'same']);
      }
    });

    check(
      'a file without read permission is refused with access_denied, naming it',
      async ({ sandbox, dir, failure }) => {
        await sandbox.exec('echo secret > closed; chmod a-r closed', { cwd: dir });
        const error = await failure(sandbox.fs.readFile(`${dir}/closed`));
        expect(error.code).toBe('access_denied');
        expect(error.message).toContain('closed');
      },
      { needs: ['fileModes'] },
    );

    check('a read that was aborted before it began is refused with aborted', async ({ sandbox, dir, failure }) => {
      await sandbox.fs.writeFile(`${dir}/file`, 'x');
      expect((await failure(sandbox.fs.readFile(`${dir}/file`, { signal: AbortSignal.abort() }))).code).toBe('aborted');
    });
  });
}
