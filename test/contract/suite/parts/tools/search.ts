import type { Contract } from '../../contract.js';
import { runTool, TOOLS } from '../../run-tool.js';

export function describeSearchTools({ describe, check, expect }: Contract): void {
  describe('glob and grep', () => {
    check('glob answers with workspace paths that read_file takes', async ({ sandbox, dir }) => {
      await sandbox.exec('mkdir -p src/deep; echo x > src/deep/a.ts; echo y > src/b.js', { cwd: dir });
      const { paths } = await runTool(TOOLS, 'glob', { pattern: '**/*.ts', path: dir }, sandbox);
      expect(paths).toEqual([`${dir}/src/deep/a.ts`]);
      const [path] = paths as string[];
      expect((await runTool(TOOLS, 'read_file', { path }, sandbox)).content).toBe('x\n');
    });

    check('an empty answer explains itself', async ({ sandbox, dir }) => {
      await sandbox.exec(
        "mkdir node_modules .git; echo needle > node_modules/a.js; printf 'needle\\000' > bin; echo other > c.txt",
        { cwd: dir },
      );
      const glob = await runTool(TOOLS, 'glob', { pattern: '**/*.js', path: dir }, sandbox);
      expect(glob.paths).toEqual([]);
      expect(glob.note).toMatch(/0 matches.*2 ignored directories/);
      const grep = await runTool(TOOLS, 'grep', { pattern: 'needle', path: dir }, sandbox);
      expect(grep.matches).toEqual([]);
      expect(grep.note).toMatch(/0 matches.*1 binary file.*2 ignored directories/);
      const all = await runTool(TOOLS, 'grep', { pattern: 'needle', path: dir, include_ignored: true }, sandbox);
      expect((all.matches as { path: string }[]).map(({ path }) => path)).toEqual([`${dir}/node_modules/a.js`]);
    });

    check('a bad pattern and a missing root are errors, not empty answers', async ({ sandbox, dir, failure }) => {
      expect((await failure(runTool(TOOLS, 'grep', { pattern: 'foo(', path: dir }, sandbox))).code).toBe('bad_pattern');
      expect((await failure(runTool(TOOLS, 'grep', { pattern: 'x', path: `${dir}/no` }, sandbox))).code).toBe(
        'not_found',
      );
      expect((await failure(runTool(TOOLS, 'glob', { pattern: '*', path: `${dir}/no` }, sandbox))).code).toBe(
        'not_found',
      );
    });

    check('write, read, edit, grep and run fit together', async ({ sandbox, dir }) => {
      const path = `${dir}/app.sh`;
      await runTool(TOOLS, 'write_file', { path, content: 'echo "hello"\n' }, sandbox);
      const { content } = await runTool(TOOLS, 'read_file', { path }, sandbox);
      await runTool(TOOLS, 'edit_file', { path, old_string: content, new_string: 'echo "bye $1"\n' }, sandbox);
      const { matches } = await runTool(TOOLS, 'grep', { pattern: 'bye', path: dir, glob: '*.sh' }, sandbox);
      expect((matches as { path: string; line: number }[]).map((match) => [match.path, match.line])).toEqual([
        [path, 1],
      ]);
      expect((await runTool(TOOLS, 'shell', { command: `sh ${path} you` }, sandbox)).stdout).toBe('bye you\n');
    });
  });
}
