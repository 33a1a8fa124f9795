import { describe, expect, it } from 'vitest';
import type { GrepQuery } from '../../../sandbox/protocol/files.js';
import { codeOf, failure, MODES, openLayer, put } from './layer-fixture.js';

const FILES = {
  'a.ts': 'one\ntwo needle\nthree\nNeedle four\n',
  'b/c.md': 'needle in c',
  'b/d.ts': 'crlf needle\r\nnext\r\n',
  'node_modules/x.js': 'needle',
};

function lines(mode: (typeof MODES)[number], pattern: string, query: GrepQuery = {}): string[] {
  return openLayer({ mode, files: FILES })
    .layer.grep(pattern, query)
    .matches.map(({ path, line, text }) => `${path}:${line}:${text}`);
}

describe.each(MODES)('grep in %s mode', (mode) => {
  it('finds lines in path and line order, without their line ends', () => {
    expect(lines(mode, 'needle')).toEqual(['a.ts:2:two needle', 'b/c.md:1:needle in c', 'b/d.ts:1:crlf needle']);
  });

  it.each<[string, GrepQuery, string[]]>([
    ['^needle', {}, ['b/c.md:1:needle in c']],
    ['needle$', {}, ['a.ts:2:two needle', 'b/d.ts:1:crlf needle']],
    ['NEEDLE', { ignoreCase: true, path: '/workspace/a.ts' }, ['a.ts:2:two needle', 'a.ts:4:Needle four']],
    ['(?i)NEEDLE f', {}, ['a.ts:4:Needle four']],
    ['n.{3}le (in|four)', {}, ['b/c.md:1:needle in c']],
    ['^(one|three)$', {}, ['a.ts:1:one', 'a.ts:3:three']],
    ['[Nn]eedle\\s\\w+', {}, ['a.ts:4:Needle four', 'b/c.md:1:needle in c']],
    ['\\-|two', {}, ['a.ts:2:two needle']],
    ['e.e', { literal: true }, []],
    ['NEEDLE F', { literal: true, ignoreCase: true }, ['a.ts:4:Needle four']],
    ['needle', { globs: ['*.ts'] }, ['a.ts:2:two needle', 'b/d.ts:1:crlf needle']],
    ['needle', { globs: ['b/*.ts'] }, ['b/d.ts:1:crlf needle']],
    ['needle', { globs: ['!*.ts'] }, ['b/c.md:1:needle in c']],
    ['needle', { path: '/workspace/b' }, ['b/c.md:1:needle in c', 'b/d.ts:1:crlf needle']],
    ['needle', { ignoreDirectories: ['b'] }, ['a.ts:2:two needle', 'node_modules/x.js:1:needle']],
    ['--pre=sh -c id', {}, []],
  ])('%j with %j finds %j', (pattern, query, found) => {
    expect(lines(mode, pattern, query)).toEqual(found);
  });

  it('shows context, up to 20 lines', () => {
    const { layer } = openLayer({
      mode,
      files: { ...FILES, long: Array.from({ length: 60 }, (_, i) => `l${i}`).join('\n') },
    });
    expect(layer.grep('two', { context: 1 }).matches).toEqual([
      { path: 'a.ts', line: 2, text: 'two needle', before: ['one'], after: ['three'] },
    ]);
    expect(layer.grep('one', { context: 2 }).matches[0]).toEqual({
      path: 'a.ts',
      line: 1,
      text: 'one',
      before: [],
      after: ['two needle', 'three'],
    });
    const [match] = layer.grep('^l30$', { context: 50 }).matches;
    expect(match?.before).toHaveLength(20);
    expect(match?.after).toHaveLength(20);
    expect(match?.before?.[0]).toBe('l10');
  });

  it('counts binary and large files it passed over, and searches invalid UTF-8', () => {
    const { layer } = openLayer({ mode });
    put(layer, '/workspace/binary', 'needle\0');
    put(layer, '/workspace/large', `needle${'x'.repeat(10 * 1024 * 1024)}`);
    put(layer, '/workspace/latin', Buffer.from('caf\xe9 needle', 'latin1'));
    put(layer, '/workspace/late-nul', `needle${'x'.repeat(9000)}\0`);
    expect(layer.grep('needle', {})).toMatchObject({ files: 2, binaryFiles: 1, largeFiles: 1, filesWalked: 4 });
  });

  it('stops at maxResults, and says whether there were more', () => {
    const { layer } = openLayer({ mode, files: FILES });
    expect(layer.grep('needle', { maxResults: 2 })).toMatchObject({ resultsLimited: true, files: 2 });
    expect(layer.grep('needle', { maxResults: 2 }).matches).toHaveLength(2);
    expect(layer.grep('needle', { maxResults: 3 })).toMatchObject({ resultsLimited: false, files: 3 });
  });

  it('cuts long lines at 2,000 characters, never in the middle of one', () => {
    const { layer } = openLayer({ mode });
    put(layer, '/workspace/long', `${'x'.repeat(1999)}😀${'y'.repeat(3000)}`);
    expect(layer.grep('y', {}).matches[0]?.text).toBe('x'.repeat(1999));
  });

  it('does not follow links on its way', () => {
    const { layer, outside } = openLayer({ mode, files: { 'd/a': 'needle SECRET' } });
    layer.symlink(`${outside}/secret`, '/workspace/l');
    layer.symlink('d', '/workspace/e');
    expect(layer.grep('SECRET', {}).matches.map((match) => match.path)).toEqual(['d/a']);
    expect(layer.grep('SECRET', { path: '/workspace/e' }).matches.map((match) => match.path)).toEqual(['d/a']);
  });

  it('searches the other trees, by their whole paths', () => {
    const { layer } = openLayer({ mode });
    put(layer, '/tmp/x/a', 'needle');
    expect(layer.grep('needle', { path: '/tmp' }).matches[0]?.path).toBe('/tmp/x/a');
  });

  it('says when the place to search is not there', () => {
    const { layer } = openLayer({ mode });
    expect(codeOf(() => layer.grep('x', { path: '/workspace/none' }))).toBe('not_found');
  });
});

describe('grep patterns', () => {
  it.each([
    ['foo(', 'Unterminated group'],
    ['[z-a]', 'Range out of order'],
    ['', 'empty'],
    ['x'.repeat(1001), 'longer than 1000'],
    ['a{5000}', 'more than 1000 times'],
    ['a{1,100000}', 'more than 1000 times'],
  ])('%j is bad_pattern with the reason', (pattern, reason) => {
    const error = failure(() => openLayer().layer.grep(pattern, {}));
    expect(error.code).toBe('bad_pattern');
    expect(error.message).toContain(reason);
  });

  // A search may skip lines by a text that every match must hold; whatever it skips by, the answer is the engine's.
  it.each([
    'ab?c',
    'ab*c',
    'abc',
    'a.c',
    'ab{2}c',
    'ab{0,1}c',
    'x{10,20}',
    '\\x41BC',
    '\\u0041BC',
    '\\bword\\b',
    'a\\.b',
    'a+bc',
    '[abc]d',
    '[^a]bc',
    '(ab)?cd',
    'ab|cd',
    '^abc$',
    'a\\\\b',
    '\\d\\d',
    'foo\\(bar',
    'ab\\?',
    '[a\\]]bc',
    'end$',
    "it's",
  ])('the pattern %j finds what the engine finds', (pattern) => {
    const sample = [
      'abc',
      'ac',
      'abbc',
      'abbbc',
      'axc',
      'x'.repeat(12),
      'ABC',
      'a word here',
      'a.b',
      'aab',
      'aabc',
      'ad',
      'bd',
      'xbc',
      'cd',
      'abcd',
      'a\\b',
      '12',
      'foo(bar',
      'ab?',
      ']bc',
      'the end',
      'a-b',
      "it's",
      '10,20',
      '41BC',
      '0041BC',
      '',
    ];
    const { layer } = openLayer({ files: { sample: sample.join('\n') } });
    const expected = sample.filter((line) => new RegExp(pattern, 'u').test(line) && line !== '');
    expect(layer.grep(pattern, {}).matches.map((match) => match.text)).toEqual(expected);
  });
});
