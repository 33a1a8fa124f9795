import type { Contract } from '../../contract.js';
import { runTool, TOOLS } from '../../run-tool.js';

export function describeReadTool({ describe, check, expect }: Contract): void {
  describe('read_file', () => {
    check('the whole file, and ranges of it by line number', async ({ sandbox, dir }) => {
      const path = `${dir}/file`;
      await sandbox.fs.writeFile(path, 'one\ntwo\nthree\nfour');
      const read = (args: object) => runTool(TOOLS, 'read_file', { path, ...args }, sandbox);
      expect(await read({})).toEqual({
        path,
        content: 'one\ntwo\nthree\nfour',
        startLine: 1,
        endLine: 4,
        totalLines: 4,
        truncated: false,
      });
      expect(await read({ offset: 3 })).toEqual({
        path,
        content: 'three\nfour',
        startLine: 3,
        endLine: 4,
        totalLines: 4,
        truncated: false,
      });
      const limited = await read({ limit: 1 });
      expect([limited.content, limited.endLine, limited.truncated]).toEqual(['one\n', 1, true]);
      const both = await read({ offset: 2, limit: 2 });
      expect([both.content, both.startLine, both.endLine, both.truncated]).toEqual(['two\nthree\n', 2, 3, true]);
      expect(both.note).toContain('offset 4');
      expect((await read({ offset: 4 })).content).toBe('four');
    });

    check('an offset beyond the end is refused with the number of lines', async ({ sandbox, dir, failure }) => {
      await sandbox.fs.writeFile(`${dir}/file`, 'one\ntwo\n');
      const error = await failure(runTool(TOOLS, 'read_file', { path: `${dir}/file`, offset: 3 }, sandbox));
      expect(error.code).toBe('invalid_input');
      expect(error.message).toContain('2 lines');
    });

    check('a file in chunks is the file', async ({ sandbox, dir }) => {
      const content = Array.from({ length: 2500 }, (_, index) => `line ${index} é\n`).join('');
      await sandbox.fs.writeFile(`${dir}/file`, content);
      let joined = '';
      let offset = 1;
      for (let more = true; more; ) {
        const part = await runTool(TOOLS, 'read_file', { path: `${dir}/file`, offset, limit: 700 }, sandbox);
        joined += part.content;
        offset = Number(part.endLine) + 1;
        more = part.truncated === true;
      }
      expect(joined).toBe(content);
    });

    check(
      'at most 2,000 lines and 50,000 characters come at once, a very long line is cut',
      async ({ sandbox, dir }) => {
        await sandbox.exec('seq 5000 > many', { cwd: dir });
        await sandbox.fs.writeFile(`${dir}/wide`, `${'é'.repeat(99)}\n`.repeat(1000));
        await sandbox.fs.writeFile(`${dir}/long`, `${'x'.repeat(200_000)}\nshort\n`);
        const read = (name: string) => runTool(TOOLS, 'read_file', { path: `${dir}/${name}` }, sandbox);
        const many = await read('many');
        expect([many.endLine, many.totalLines, many.truncated]).toEqual([2000, 5000, true]);
        const wide = await read('wide');
        expect([wide.endLine, String(wide.content).length, wide.truncated]).toEqual([500, 50_000, true]);
        const long = await read('long');
        expect([String(long.content).length, long.endLine, long.truncated]).toEqual([50_000, 1, true]);
      },
    );

    check(
      'missing, directory, binary and not UTF-8 are refused by code, an empty file is empty',
      async ({ sandbox, dir, failure }) => {
        await sandbox.exec("mkdir sub; printf 'a\\000b' > binary; printf 'caf\\351' > latin; : > empty", { cwd: dir });
        for (const [name, code] of [
          ['missing', 'not_found'],
          ['sub', 'is_directory'],
          ['binary', 'encoding'],
          ['latin', 'encoding'],
        ]) {
          const error = await failure(runTool(TOOLS, 'read_file', { path: `${dir}/${name}` }, sandbox));
          expect([name, error.code]).toEqual([name, code]);
          expect(error.message).toContain(name);
        }
        const empty = await runTool(TOOLS, 'read_file', { path: `${dir}/empty` }, sandbox);
        expect([empty.content, empty.totalLines]).toEqual(['', 0]);
      },
    );

    check('a file over 10 MB is refused with advice', async ({ sandbox, dir, failure }) => {
      await sandbox.fs.writeFile(`${dir}/big`, new Uint8Array(10 * 1024 * 1024 + 1).fill(0x61));
      const error = await failure(runTool(TOOLS, 'read_file', { path: `${dir}/big` }, sandbox));
      expect(error.code).toBe('file_too_large');
      expect(error.message).toMatch(/grep|head/);
    });
  });
}
