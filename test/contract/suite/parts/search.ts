import type { Contract } from '../contract.js';

/** glob and grep: right, in order, and an empty answer explains itself. */
export function describeSearch({ describe, check, expect }: Contract): void {
  describe('glob', () => {
    check(
      'patterns select by directory level, extension, class and alternative, hidden names too',
      async ({ sandbox, dir }) => {
        await sandbox.exec(
          'mkdir -p src/deep; : > a.ts; : > b.js; : > c1.ts; : > .hidden.ts; : > src/d.ts; : > src/deep/e.tsx',
          { cwd: dir },
        );
        const cases: [string | string[], string[]][] = [
          ['*.ts', ['.hidden.ts', 'a.ts', 'c1.ts']],
          ['**/*.ts', ['.hidden.ts', 'a.ts', 'c1.ts', 'src/d.ts']],
          ['**/*.{ts,tsx}', ['.hidden.ts', 'a.ts', 'c1.ts', 'src/d.ts', 'src/deep/e.tsx']],
          ['?.ts', ['a.ts']],
          ['[a-b].*', ['a.ts', 'b.js']],
          ['c[0-9].ts', ['c1.ts']],
          ['src/**', ['src/d.ts', 'src/deep/e.tsx']],
          ['*.py', []],
          [
            ['*.js', 'src/*.ts'],
            ['b.js', 'src/d.ts'],
          ],
          ['.*.ts', ['.hidden.ts']],
        ];
        for (const [pattern, paths] of cases) {
          expect([pattern, (await sandbox.fs.glob(pattern, { cwd: dir })).paths]).toEqual([pattern, paths]);
        }
      },
    );

    check('directories are matched only when asked for', async ({ sandbox, dir }) => {
      await sandbox.exec('mkdir -p one/two; : > one/file', { cwd: dir });
      expect((await sandbox.fs.glob('*', { cwd: dir })).paths).toEqual([]);
      expect((await sandbox.fs.glob('**', { cwd: dir, directories: true })).paths).toContain('one/two');
    });

    check('ignored directories are skipped and counted, and can be looked into', async ({ sandbox, dir }) => {
      await sandbox.exec('mkdir -p node_modules/pkg .git; : > node_modules/pkg/x.ts; : > .git/y.ts; : > z.ts', {
        cwd: dir,
      });
      const result = await sandbox.fs.glob('**/*.ts', { cwd: dir });
      expect(result.paths).toEqual(['z.ts']);
      expect(result.ignoredDirectories).toBe(2);
      expect((await sandbox.fs.glob('**/*.ts', { cwd: dir, ignoreDirectories: [] })).paths).toContain(
        'node_modules/pkg/x.ts',
      );
    });

    check('a limit on results and one on the walk are said', async ({ sandbox, dir }) => {
      await sandbox.exec('for i in $(seq 30); do : > "f$i"; done', { cwd: dir });
      const limited = await sandbox.fs.glob('*', { cwd: dir, maxResults: 10 });
      expect([limited.paths.length, limited.resultsLimited]).toEqual([10, true]);
      const full = await sandbox.fs.glob('*', { cwd: dir });
      expect([full.paths.length, full.resultsLimited, full.walkLimited]).toEqual([30, false, false]);
      expect((await sandbox.fs.glob('*', { cwd: dir, maxWalked: 5 })).walkLimited).toBe(true);
    });

    check(
      'a missing root is not_found, an impossible pattern bad_pattern or nothing, and neither hangs',
      async ({ sandbox, dir, failure }) => {
        expect((await failure(sandbox.fs.glob('*', { cwd: `${dir}/missing` }))).code).toBe('not_found');
        await sandbox.fs.writeFile(`${dir}/${'a'.repeat(60)}`, '');
        const started = performance.now();
        for (const pattern of ['**/**/**/**/**/**/x', '{a,b}'.repeat(20), `${'*a'.repeat(30)}b`, '[', '!(a|b)', '']) {
          const outcome = await sandbox.fs.glob(pattern, { cwd: dir }).then(
            ({ paths }) => Array.isArray(paths),
            (error: { code?: unknown }) => error.code,
          );
          expect([true, 'bad_pattern', 'invalid_input']).toContain(outcome);
        }
        expect(performance.now() - started).toBeLessThan(15_000);
      },
    );

    check('a link out of the workspace is not followed', async ({ sandbox, dir }) => {
      await sandbox.exec('ln -s / root; ln -s . self; : > file', { cwd: dir });
      const { paths } = await sandbox.fs.glob('**', { cwd: dir });
      expect(paths).toContain('file');
      expect(paths.some((path) => path.startsWith('root/') || path.startsWith('self/'))).toBe(false);
    });
  });

  describe('grep', () => {
    check('matches come in path and line order with their line numbers', async ({ sandbox, dir }) => {
      await sandbox.exec(
        "printf 'one\\ntwo needle\\nthree\\nneedle four\\n' > b.txt; mkdir sub; printf 'needle\\n' > sub/c.txt; printf 'no\\n' > a.txt",
        { cwd: dir },
      );
      const result = await sandbox.fs.grep('needle', { path: dir });
      expect(result.matches.map(({ path, line, text }) => [path, line, text])).toEqual([
        [`${dir}/b.txt`, 2, 'two needle'],
        [`${dir}/b.txt`, 4, 'needle four'],
        [`${dir}/sub/c.txt`, 1, 'needle'],
      ]);
      expect(result.files).toBe(2);
    });

    check(
      'a pattern is a regular expression unless literal, and case counts unless ignored',
      async ({ sandbox, dir }) => {
        await sandbox.fs.writeFile(`${dir}/file`, 'a.c\nabc\nABC\nfoo(bar)\n$& [x]\n');
        const lines = async (pattern: string, options = {}) =>
          (await sandbox.fs.grep(pattern, { path: dir, ...options })).matches.map(({ line }) => line);
        expect(await lines('a.c')).toEqual([1, 2]);
        expect(await lines('a.c', { literal: true })).toEqual([1]);
        expect(await lines('abc', { ignoreCase: true })).toEqual([2, 3]);
        expect(await lines('foo(', { literal: true })).toEqual([4]);
        expect(await lines('$& [x]', { literal: true })).toEqual([5]);
        expect(await lines('^[A-Z]+$')).toEqual([3]);
        expect(await lines('\\bfoo\\(')).toEqual([4]);
      },
    );

    check('a bad regular expression is bad_pattern, a missing root not_found', async ({ sandbox, dir, failure }) => {
      expect((await failure(sandbox.fs.grep('foo(', { path: dir }))).code).toBe('bad_pattern');
      expect((await failure(sandbox.fs.grep('[z-a]', { path: dir }))).code).toBe('bad_pattern');
      expect((await failure(sandbox.fs.grep('x', { path: `${dir}/missing` }))).code).toBe('not_found');
    });

    check('a pattern is never taken for an option or a command', async ({ sandbox, dir }) => {
      await sandbox.fs.writeFile(`${dir}/file`, 'x --pre=sh y\n-f /etc/passwd\n');
      expect((await sandbox.fs.grep('--pre=sh', { path: dir })).matches.map(({ line }) => line)).toEqual([1]);
      expect((await sandbox.fs.grep('-f', { path: dir })).matches.map(({ line }) => line)).toEqual([2]);
      await sandbox.fs.writeFile(`${dir}/--files`, 'needle\n');
      expect((await sandbox.fs.grep('needle', { path: `${dir}/--files` })).matches.length).toBe(1);
    });

    check('skipped binary files and ignored directories are counted', async ({ sandbox, dir }) => {
      await sandbox.exec("printf 'needle\\000x' > binary; mkdir node_modules; echo needle > node_modules/dep.js", {
        cwd: dir,
      });
      const result = await sandbox.fs.grep('needle', { path: dir });
      expect([result.matches, result.binaryFiles, result.ignoredDirectories]).toEqual([[], 1, 1]);
    });

    check('globs choose the files, context shows lines around, and limits are said', async ({ sandbox, dir }) => {
      await sandbox.exec('seq 20 > n.txt; seq 20 > n.log; mkdir sub; echo 10 > sub/n.txt', { cwd: dir });
      const chosen = await sandbox.fs.grep('^10$', { path: dir, globs: ['**/*.txt'], context: 2 });
      expect(chosen.matches.map(({ path }) => path)).toEqual([`${dir}/n.txt`, `${dir}/sub/n.txt`]);
      expect([chosen.matches[0]?.before, chosen.matches[0]?.after]).toEqual([
        ['8', '9'],
        ['11', '12'],
      ]);
      const limited = await sandbox.fs.grep('.', { path: dir, maxResults: 5 });
      expect([limited.matches.length, limited.resultsLimited]).toEqual([5, true]);
    });

    check('UTF-8, CRLF lines and a single file as path work', async ({ sandbox, dir }) => {
      await sandbox.fs.writeFile(`${dir}/file.txt`, 'grüße 😀\r\nzweite\r\n');
      const result = await sandbox.fs.grep('grüße', { path: `${dir}/file.txt` });
      expect(result.matches.map(({ line, text }) => [line, text.replace('\r', '')])).toEqual([[1, 'grüße 😀']]);
      expect((await sandbox.fs.grep('zweite$', { path: dir })).matches.map(({ line }) => line)).toEqual([2]);
    });

    check(
      'an exponential regular expression ends, by a linear engine or by its time limit',
      async ({ sandbox, dir }) => {
        await sandbox.fs.writeFile(`${dir}/file`, `${'a'.repeat(50)}!\n`);
        const outcome = await sandbox.fs.grep('(a+)+$', { path: dir, timeoutMs: 3_000 }).then(
          ({ matches }) => matches.length,
          (error: { code?: unknown }) => error.code,
        );
        expect([0, 'timeout']).toContain(outcome);
        expect((await sandbox.fs.grep('!', { path: dir })).matches.length).toBe(1);
      },
    );

    check('a very long line is cut, not dropped', async ({ sandbox, dir }) => {
      await sandbox.fs.writeFile(`${dir}/file`, `needle ${'x'.repeat(100_000)}\n`);
      const [match] = (await sandbox.fs.grep('needle', { path: dir })).matches;
      expect(match?.text.slice(0, 6)).toBe('needle');
      expect(match?.text.length ?? 0).toBeLessThan(2_100);
    });
  });
}
