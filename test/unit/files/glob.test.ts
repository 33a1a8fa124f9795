import { describe, expect, it } from 'vitest';
import { codeOf, failure, MODES, openLayer, plant } from './layer-fixture.js';

const FILES = {
  'README.md': '',
  '.hidden': '',
  'src/a.ts': '',
  'src/a.test.ts': '',
  'src/deep/b.ts': '',
  'src/deep/er/c.js': '',
  'src.txt': '',
  'app/[id]/page.tsx': '',
  'node_modules/x/index.js': '',
  '.git/HEAD': '',
};

describe.each(MODES)('glob in %s mode', (mode) => {
  const paths = (patterns: string[], query = {}) => openLayer({ mode, files: FILES }).layer.glob(patterns, query).paths;

  it.each<[string[], string[]]>([
    [['*'], ['.hidden', 'README.md', 'src.txt']],
    [['**/*.ts'], ['src/a.test.ts', 'src/a.ts', 'src/deep/b.ts']],
    [['src/**'], ['src/a.test.ts', 'src/a.ts', 'src/deep/b.ts', 'src/deep/er/c.js']],
    [['src/*.ts'], ['src/a.test.ts', 'src/a.ts']],
    [['src/?.ts'], ['src/a.ts']],
    [['**/*.{js,md}'], ['README.md', 'src/deep/er/c.js']],
    [['{README,src}.*'], ['README.md', 'src.txt']],
    [['src/[a-c].ts'], ['src/a.ts']],
    [['src/[!a].ts'], []],
    [['src/a.!(test).ts', 'src/a.ts'], ['src/a.ts']],
    [['./src//a.ts'], ['src/a.ts']],
    [['app/[id]/page.tsx'], ['app/[id]/page.tsx']],
    [['app/\\[id\\]/*'], ['app/[id]/page.tsx']],
    [['/workspace/src/*.ts'], ['src/a.test.ts', 'src/a.ts']],
    [
      ['**/*.ts', '!**/*.test.ts'],
      ['src/a.ts', 'src/deep/b.ts'],
    ],
    [['**/**/**/**/**/c.js'], ['src/deep/er/c.js']],
    [['nothing'], []],
    [['--files'], []],
  ])('%j finds %j', (patterns, found) => {
    expect(paths(patterns)).toEqual(found);
  });

  it('gives whole paths in order', () => {
    const { layer } = openLayer({ mode, files: { 'a/x': '', 'a.b': '', 'a-c': '', 'ab/x': '' } });
    expect(layer.glob(['**'], {}).paths).toEqual(['a-c', 'a.b', 'a/x', 'ab/x']);
  });

  it('gives paths relative to cwd, directories on request', () => {
    expect(paths(['**'], { cwd: '/workspace/src' })).toEqual(['a.test.ts', 'a.ts', 'deep/b.ts', 'deep/er/c.js']);
    expect(paths(['d*', '**/er'], { cwd: '/workspace/src', directories: true })).toEqual(['deep', 'deep/er']);
  });

  it('passes over .git and node_modules unless told otherwise, and says so', () => {
    const { layer } = openLayer({ mode, files: FILES });
    expect(layer.glob(['**'], {}).ignoredDirectories).toBe(2);
    expect(layer.glob(['**/index.js'], { ignoreDirectories: [] }).paths).toEqual(['node_modules/x/index.js']);
    expect(layer.glob(['**'], { ignoreDirectories: ['src', 'app'] }).paths).toEqual([
      '.git/HEAD',
      '.hidden',
      'README.md',
      'node_modules/x/index.js',
      'src.txt',
    ]);
  });

  it('stops at maxResults, and says whether there were more', () => {
    const { layer } = openLayer({ mode, files: FILES });
    expect(layer.glob(['**/*.ts'], { maxResults: 2 })).toMatchObject({
      paths: ['src/a.test.ts', 'src/a.ts'],
      resultsLimited: true,
    });
    expect(layer.glob(['**/*.ts'], { maxResults: 3 })).toMatchObject({ resultsLimited: false });
  });

  it('stops at maxWalked, and says so', () => {
    const { layer } = openLayer({ mode, files: FILES });
    expect(layer.glob(['**'], { maxWalked: 3 })).toMatchObject({ walkLimited: true });
    expect(layer.glob(['**'], { maxWalked: 1000 })).toMatchObject({ walkLimited: false, filesWalked: 8 });
  });

  it('lists links, but does not enter them', () => {
    const { layer } = openLayer({ mode, files: { 'd/a': '' } });
    layer.symlink('.', '/workspace/d/loop');
    layer.symlink('d', '/workspace/l');
    expect(layer.glob(['**'], {}).paths).toEqual(['d/a', 'd/loop', 'l']);
  });

  it('says when the place to search is not there or no directory', () => {
    const { layer } = openLayer({ mode, files: FILES });
    expect(codeOf(() => layer.glob(['*'], { cwd: '/workspace/none' }))).toBe('not_found');
    expect(codeOf(() => layer.glob(['*'], { cwd: '/workspace/README.md' }))).toBe('not_directory');
  });
});

describe('glob patterns', () => {
  it.each([
    ['', 'empty'],
    ['src/[a', "'[' without ']'"],
    ['{a,b', "'{' without '}'"],
    ['a}', "'}' without '{'"],
    ['a\\', 'lone backslash'],
    ['x'.repeat(1001), 'longer than 1000'],
    [`${'{a,b}'.repeat(21)}`, 'more than 20 braces'],
    ['{{{{a,b},c},d},e}', 'nests them too deeply'],
    ['a*b*c*d*e*f*g*', "more than 6 '*'"],
    ['**/a/**/b/**/c/**/d/**', "more than 4 separate '**'"],
    ['*(a|b)', 'repeats a group'],
    ['+(a)', 'repeats a group'],
    ['!(!(a))', 'nests them'],
    ['/etc/*', 'does not lie in'],
    ['a\0b', 'NUL'],
  ])('%j is bad_pattern with the reason', (pattern, reason) => {
    const error = failure(() => openLayer().layer.glob([pattern], {}));
    expect(error.code).toBe('bad_pattern');
    expect(error.message).toContain(reason);
  });

  it('no pattern and too many patterns are bad_pattern', () => {
    const { layer } = openLayer();
    expect(codeOf(() => layer.glob([], {}))).toBe('bad_pattern');
    expect(
      codeOf(() =>
        layer.glob(
          Array.from({ length: 101 }, () => 'a'),
          {},
        ),
      ),
    ).toBe('bad_pattern');
  });

  it('never take exponential time', () => {
    const { layer, workspace } = openLayer();
    plant(workspace, { [`${'a/'.repeat(20)}${'a'.repeat(60)}`]: '' });
    const started = performance.now();
    for (const pattern of [
      '**/**/**/**/**/x',
      '**/a/**/a/**/a/**/x',
      '{a,b}'.repeat(20),
      '{a,aa}'.repeat(20),
      '!(a|b)',
      '!(a|b)c!(d)',
      'a*a*a*a*a*ab',
      '@(a|aa)@(a|aa)@(a|aa)@(a|aa)b',
    ]) {
      layer.glob([pattern, `**/${pattern}`.slice(0, pattern.startsWith('**') ? 0 : undefined) || 'z'], {});
    }
    expect(performance.now() - started).toBeLessThan(3000);
  });
});
