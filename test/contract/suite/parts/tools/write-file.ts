import { utf8 } from '../../bytes.js';
import type { Contract } from '../../contract.js';
import { runTool, TOOLS } from '../../run-tool.js';

export function describeWriteTool({ describe, check, expect }: Contract): void {
  describe('write_file', () => {
    check('writes, creates parents, overwrites and says which it did', async ({ sandbox, dir }) => {
      const path = `${dir}/a/b/file.txt`;
      expect(await runTool(TOOLS, 'write_file', { path, content: 'one\n' }, sandbox)).toEqual({
        path,
        bytes: 4,
        created: true,
      });
      expect(await runTool(TOOLS, 'write_file', { path, content: 'grüße' }, sandbox)).toEqual({
        path,
        bytes: 7,
        created: false,
      });
      expect((await sandbox.exec('cat a/b/file.txt', { cwd: dir })).stdout).toBe('grüße');
    });

    check('empty, blank, escaped and long texts are written as they are', async ({ sandbox, dir }) => {
      const contents = [
        '',
        '   ',
        '\n\n',
        '\\n "q" \'s\' `b` $x\t%\r\n',
        `${'x'.repeat(100_000)}\n`,
        'line\n'.repeat(1000),
      ];
      for (const content of contents) {
        await runTool(TOOLS, 'write_file', { path: `${dir}//file`, content }, sandbox);
        expect(utf8(await sandbox.fs.readFile(`${dir}/file`))).toBe(content);
      }
    });

    check('a directory, an escape and a link out are refused by code', async ({ sandbox, dir, failure }) => {
      await sandbox.exec('mkdir sub; ln -s /etc out', { cwd: dir });
      for (const [path, code] of [
        [`${dir}/sub`, 'is_directory'],
        ['../escape', 'path_escape'],
        [`${dir}/out/new`, 'path_escape'],
      ]) {
        expect([path, (await failure(runTool(TOOLS, 'write_file', { path, content: 'x' }, sandbox))).code]).toEqual([
          path,
          code,
        ]);
      }
    });
  });
}
