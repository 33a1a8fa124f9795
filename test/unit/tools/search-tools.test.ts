import { describe, expect, it } from 'vitest';
import { createGlobTool } from '../../../src/tools/search/glob-tool.js';
import { createGrepTool } from '../../../src/tools/search/grep-tool.js';
import { callTool, refusal } from './call-tool.js';
import { createMemorySandbox } from './memory-sandbox.js';

const globTool = createGlobTool();
const grepTool = createGrepTool();

function sandboxWith(files: Record<string, string>) {
  const sandbox = createMemorySandbox();
  for (const [path, content] of Object.entries(files)) sandbox.put(path, content);
  return sandbox;
}

describe('glob', () => {
  it('answers with paths relative to the workspace, whatever directory was searched', async () => {
    const sandbox = sandboxWith({ 'src/a.ts': '', 'src/deep/b.ts': '', 'c.ts': '' });
    expect((await callTool(globTool, { pattern: '**/*.ts', path: 'src' }, sandbox)).paths).toEqual([
      'src/a.ts',
      'src/deep/b.ts',
    ]);
    expect((await callTool(globTool, { pattern: '/workspace/src/*.ts' }, sandbox)).paths).toEqual(['src/a.ts']);
    expect(await callTool(globTool, { pattern: 'src/*.ts' }, sandbox)).toEqual({ paths: ['src/a.ts'] });
  });

  it('explains an empty answer', async () => {
    const sandbox = sandboxWith({ 'src/a.ts': '', 'node_modules/x/b.js': '', '.git/c.js': '' });
    expect((await callTool(globTool, { pattern: '*.js' }, sandbox)).note).toBe(
      '0 matches among 1 file. Skipped 2 ignored directories (.git, node_modules); set include_ignored to search them. "*.js" looks at one level only; "**/*.js" looks at all',
    );
    expect((await callTool(globTool, { pattern: '**/*.js', include_ignored: true }, sandbox)).paths).toEqual([
      '.git/c.js',
      'node_modules/x/b.js',
    ]);
  });

  it('L100: gives at most 200 results and says that more exist', async () => {
    const sandbox = sandboxWith(Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`f${index}`, ''])));
    const result = await callTool(globTool, { pattern: '*' }, sandbox);
    expect(result.paths).toHaveLength(200);
    expect(result.note).toBe('Stopped at 200 results, more exist; narrow the search');
  });

  it('refuses a root that is missing', async () => {
    const error = await refusal(callTool(globTool, { pattern: '*', path: 'nope' }, sandboxWith({})));
    expect([error.code, error.message]).toEqual([
      'not_found',
      'Cannot search "nope": no such file or directory; look for it with list_dir',
    ]);
  });
});

describe('grep', () => {
  it('answers with path, line and text', async () => {
    const sandbox = sandboxWith({ 'src/a.ts': 'one\ntwo needle\n', 'b.ts': 'needle' });
    expect(await callTool(grepTool, { pattern: 'needle' }, sandbox)).toEqual({
      matches: [
        { path: 'b.ts', line: 1, text: 'needle' },
        { path: 'src/a.ts', line: 2, text: 'two needle' },
      ],
      files: 2,
    });
  });

  it('takes a glob without a slash at any depth', async () => {
    const sandbox = sandboxWith({ 'src/deep/a.ts': 'needle', 'a.js': 'needle' });
    expect(
      (await callTool(grepTool, { pattern: 'needle', glob: '*.ts' }, sandbox)).matches.map(({ path }) => path),
    ).toEqual(['src/deep/a.ts']);
    expect((await callTool(grepTool, { pattern: 'needle', glob: 'src/*.ts' }, sandbox)).matches).toEqual([]);
  });

  it('takes the pattern as plain text, and without regard to case, when asked', async () => {
    const sandbox = sandboxWith({ a: 'Foo(x)\nfoox' });
    expect(
      (await callTool(grepTool, { pattern: 'foo(', literal: true, ignore_case: true }, sandbox)).matches.map(
        ({ line }) => line,
      ),
    ).toEqual([1]);
  });

  it('explains an empty answer', async () => {
    const sandbox = sandboxWith({ a: 'x', bin: 'needle\0', 'node_modules/b': 'needle' });
    expect((await callTool(grepTool, { pattern: 'needle' }, sandbox)).note).toBe(
      '0 matches in 2 files. Skipped 1 binary file. Skipped 1 ignored directory (.git, node_modules); set include_ignored to search them',
    );
  });

  it('refuses a bad expression and says how to search for plain text', async () => {
    const error = await refusal(callTool(grepTool, { pattern: 'foo(' }, sandboxWith({ a: '' })));
    expect([error.code, error.message]).toEqual(['bad_pattern', expect.stringMatching(/set literal/)]);
  });

  it('cuts long lines and says so', async () => {
    const sandbox = sandboxWith({ a: `needle${'x'.repeat(1000)}` });
    const result = await callTool(grepTool, { pattern: 'needle' }, sandbox);
    expect(result.matches[0]?.text).toHaveLength(500);
    expect(result.note).toBe('1 line cut at 500 characters');
  });

  it('keeps the whole answer under 50,000 characters', async () => {
    const sandbox = sandboxWith({ a: `needle${'x'.repeat(490)}\n`.repeat(150) });
    const result = await callTool(grepTool, { pattern: 'needle' }, sandbox);
    expect(JSON.stringify(result.matches).length).toBeLessThan(60_000);
    expect(result.note).toMatch(/Showing \d+ of 150 matches, to keep the answer under 50000 characters/);
  });
});
