import type { Contract } from '../../contract.js';
import { runTool, TOOLS } from '../../run-tool.js';

export function describeListTool({ describe, check, expect }: Contract): void {
  describe('list_dir', () => {
    check('lists names, types and sizes, hidden and odd names too', async ({ sandbox, dir }) => {
      await sandbox.exec("mkdir sub; printf abc > 'a file'; printf x > .hidden; printf é > naïve", { cwd: dir });
      const result = await runTool(TOOLS, 'list_dir', { path: dir }, sandbox);
      expect((result.entries as { name: string; type: string }[]).map(({ name, type }) => [name, type])).toEqual([
        ['.hidden', 'file'],
        ['a file', 'file'],
        ['naïve', 'file'],
        ['sub', 'directory'],
      ]);
      expect(result.totalEntries).toBe(4);
    });

    check(
      'an empty directory says so, a missing one is not_found, a file not_directory',
      async ({ sandbox, dir, failure }) => {
        await sandbox.exec('mkdir empty; : > file', { cwd: dir });
        const empty = await runTool(TOOLS, 'list_dir', { path: `${dir}/empty/` }, sandbox);
        expect([empty.entries, empty.note]).toEqual([[], 'The directory is empty']);
        expect((await failure(runTool(TOOLS, 'list_dir', { path: `${dir}/missing` }, sandbox))).code).toBe('not_found');
        expect((await failure(runTool(TOOLS, 'list_dir', { path: `${dir}/file` }, sandbox))).code).toBe(
          'not_directory',
        );
      },
    );

    check('at most 200 entries come, with the number of all', async ({ sandbox, dir }) => {
      await sandbox.exec('for i in $(seq 250); do : > "f$i"; done', { cwd: dir });
      const result = await runTool(TOOLS, 'list_dir', { path: `/workspace/${dir}` }, sandbox);
      expect([(result.entries as unknown[]).length, result.totalEntries]).toEqual([200, 250]);
      expect(result.note).toContain('200 of 250');
    });
  });
}
