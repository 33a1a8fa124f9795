import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeOf, failure, MODES, names, openLayer, put, text } from './layer-fixture.js';

const ODD_NAMES = [
  'new\nline',
  'tab\there',
  ' lead',
  'trail ',
  '-rf',
  '...',
  'dot.',
  '😀',
  '\u202egnp.exe',
  '__proto__',
  'constructor',
  'toString',
  "it's",
  '"q"',
  '$HOME',
  '`id`',
  '*',
  '[a]',
  'back\\slash',
  'é',
  'e\u0301',
  '~',
  '#x',
  '%2e%2e',
  'file:',
  'C:',
];

describe.each(MODES)('paths in %s mode', (mode) => {
  it('names are exact', () => {
    const { layer } = openLayer({ mode });
    for (const name of ODD_NAMES) put(layer, `/workspace/${name}`, name);
    expect(names(layer, '/workspace').toSorted()).toEqual(ODD_NAMES.toSorted());
    for (const name of ODD_NAMES) expect(text(layer, `/workspace/${name}`)).toBe(name);
    for (const name of ODD_NAMES) expect(layer.remove(`/workspace/${name}`)).toBe(true);
    expect(names(layer, '/workspace')).toEqual([]);
  });

  it('odd names work as directories', () => {
    const { layer } = openLayer({ mode });
    for (const name of ODD_NAMES) put(layer, `/workspace/${name}/${name}`, name);
    for (const name of ODD_NAMES) expect(text(layer, `/workspace/${name}/${name}`)).toBe(name);
  });

  it.each([
    ['an empty path', ''],
    ['a NUL', '/workspace/a\0b'],
    ['more than 4,096 bytes', `/workspace/${'a/'.repeat(2050)}`],
    ['a name of more than 255 bytes', `/workspace/${'a'.repeat(256)}`],
    ['a name of more than 255 bytes in UTF-8', `/workspace/${'é'.repeat(128)}`],
    ['half a surrogate pair', '/workspace/\ud800'],
  ])('%s is invalid_input for every operation', (_, path) => {
    const { layer } = openLayer({ mode });
    const operations = [
      () => layer.readFile(path, 10),
      () => layer.writeFile(path, Buffer.from('')),
      () => layer.stat(path),
      () => layer.lstat(path),
      () => layer.list(path),
      () => layer.mkdir(path, { recursive: true }),
      () => layer.remove(path),
      () => layer.rename(path, '/workspace/b'),
      () => layer.readlink(path),
      () => layer.realpath(path),
      () => layer.chmod(path, 0o600),
      () => layer.utimes(path, 0, 0),
      () => layer.symlink('x', path),
      () => layer.grep('x', { path }),
    ];
    for (const operation of operations) expect(codeOf(operation)).toBe('invalid_input');
  });

  it('a name of 255 bytes works, in all ways', () => {
    const { layer } = openLayer({ mode });
    const name = 'n'.repeat(255);
    put(layer, `/workspace/${name}`, '1');
    put(layer, `/workspace/${name}`, '2');
    layer.rename(`/workspace/${name}`, `/workspace/m${name.slice(1)}`);
    layer.chmod(`/workspace/m${name.slice(1)}`, 0o600);
    expect(text(layer, `/workspace/m${name.slice(1)}`)).toBe('2');
    expect(layer.remove(`/workspace/m${name.slice(1)}`)).toBe(true);
    expect(names(layer, '/workspace')).toEqual([]);
  });

  it.each([
    '/etc/passwd',
    '/',
    '/home',
    '/home/other/x',
    '/workspace-evil/x',
    '/workspace2',
    '/tmpx/a',
    '/home/agentx',
    'relative',
    '../up',
    '/workspace/../etc/passwd',
    '/workspace/../../etc/passwd',
    '/workspace/a/../../../etc/passwd',
    '/proc/self/environ',
    '/dev/zero',
  ])('%s is outside', (path) => {
    const { layer } = openLayer({ mode, files: { 'a/b': '' } });
    expect(codeOf(() => layer.readFile(path, 10))).toBe('path_escape');
    expect(codeOf(() => layer.writeFile(path, Buffer.from('x')))).toBe('path_escape');
    expect(codeOf(() => layer.stat(path))).toBe('path_escape');
  });

  it('`..` and doubled slashes are taken as the kernel takes them', () => {
    const { layer } = openLayer({ mode, files: { 'a/b/c': 'c', 'a/d': 'd' } });
    put(layer, '/tmp/t', 't');
    expect(text(layer, '/workspace/a/b/../d')).toBe('d');
    expect(text(layer, '/workspace//a/.//b/./c')).toBe('c');
    expect(text(layer, '/workspace/../tmp/t')).toBe('t');
    expect(text(layer, '/home/agent/../../workspace/a/d')).toBe('d');
    expect(codeOf(() => layer.readFile('/workspace/none/../a/d', 10))).toBe('not_found');
    expect(codeOf(() => layer.readFile('/workspace/a/d/../d', 10))).toBe('not_directory');
  });

  it('`..` after a link is the parent of what the link leads to', () => {
    const { layer } = openLayer({ mode, files: { 'deep/er/x': 'x', 'deep/sibling': 'right', sibling: 'wrong' } });
    layer.symlink('deep/er', '/workspace/l');
    expect(text(layer, '/workspace/l/../sibling')).toBe('right');
  });

  it('shows hostile names escaped in messages', () => {
    const { layer } = openLayer({ mode });
    expect(failure(() => layer.readFile('/workspace/a\u202eb\nc', 10)).message).toContain(
      "'/workspace/a\\u{202e}b\\u{a}c'",
    );
  });
});

describe.each(MODES)('links in %s mode', (mode) => {
  it('are followed inside the namespace, whether relative or absolute, across trees', () => {
    const { layer } = openLayer({ mode, files: { 'd/f': 'data' } });
    put(layer, '/tmp/t', 'temp');
    layer.symlink('d/f', '/workspace/relative');
    layer.symlink('/workspace/d', '/workspace/absolute');
    layer.symlink('/tmp/t', '/workspace/d/across');
    layer.symlink('../workspace/d', '/home/agent/odd');
    layer.symlink('../../workspace/d', '/home/agent/even');
    layer.symlink('relative', '/workspace/chain');
    expect(text(layer, '/workspace/relative')).toBe('data');
    expect(text(layer, '/workspace/absolute/f')).toBe('data');
    expect(text(layer, '/workspace/absolute/across')).toBe('temp');
    expect(text(layer, '/home/agent/even/f')).toBe('data');
    expect(codeOf(() => layer.readFile('/home/agent/odd/f', 10))).toBe('path_escape');
    expect(text(layer, '/workspace/chain')).toBe('data');
    expect(layer.realpath('/workspace/absolute/across')).toBe('/tmp/t');
    expect(layer.stat('/workspace/relative').type).toBe('file');
    expect(layer.lstat('/workspace/relative').type).toBe('symlink');
    expect(layer.readlink('/workspace/absolute')).toBe('/workspace/d');
  });

  it('that lead out are refused, for reading, writing, listing and creating', () => {
    const { layer, outside } = openLayer({ mode, files: { a: '' } });
    const links: [string, string][] = [
      ['file', `${outside}/secret`],
      ['dir', outside],
      ['up', '../outside'],
      ['dangling', `${outside}/created`],
      ['etc', '/etc'],
    ];
    for (const [name, target] of links) layer.symlink(target, `/workspace/${name}`);
    for (const path of ['file', 'dir/secret', 'up/secret', 'dangling', 'etc/passwd', 'dir/new']) {
      expect(codeOf(() => layer.readFile(`/workspace/${path}`, 100))).toBe('path_escape');
      expect(codeOf(() => layer.writeFile(`/workspace/${path}`, Buffer.from('x'), { parents: true }))).toBe(
        'path_escape',
      );
      expect(codeOf(() => layer.writeFile(`/workspace/${path}`, Buffer.from('x'), { append: true }))).toBe(
        'path_escape',
      );
      expect(codeOf(() => layer.chmod(`/workspace/${path}`, 0o777))).toBe('path_escape');
      expect(codeOf(() => layer.utimes(`/workspace/${path}`, 0, 0))).toBe('path_escape');
      expect(codeOf(() => layer.link(`/workspace/${path}`, '/workspace/hard'))).toBe('path_escape');
    }
    for (const path of ['dir', 'up', 'etc']) {
      expect(codeOf(() => layer.list(`/workspace/${path}`))).toBe('path_escape');
      expect(codeOf(() => layer.mkdir(`/workspace/${path}/new/er`, { recursive: true }))).toBe('path_escape');
      expect(codeOf(() => layer.glob(['**'], { cwd: `/workspace/${path}` }))).toBe('path_escape');
      expect(codeOf(() => layer.rename('/workspace/a', `/workspace/${path}/a`))).toBe('path_escape');
      expect(codeOf(() => layer.remove(`/workspace/${path}/secret`))).toBe('path_escape');
    }
    // A link is removed, not followed.
    for (const [name] of links) expect(layer.remove(`/workspace/${name}`, { recursive: true })).toBe(true);
  });

  it('that dangle inside create their target, as on Linux', () => {
    const { layer } = openLayer({ mode });
    layer.symlink('target', '/workspace/l');
    expect(codeOf(() => layer.readFile('/workspace/l', 10))).toBe('not_found');
    put(layer, '/workspace/l', 'made');
    expect(text(layer, '/workspace/target')).toBe('made');
    expect(layer.lstat('/workspace/l').type).toBe('symlink');
  });

  it('that go round end after 40', () => {
    const { layer } = openLayer({ mode, files: { end: 'end' } });
    layer.symlink('b', '/workspace/a');
    layer.symlink('a', '/workspace/b');
    expect(codeOf(() => layer.readFile('/workspace/a', 10))).toBe('path_escape');
    layer.symlink('end', '/workspace/l0');
    for (let i = 1; i <= 45; i += 1) layer.symlink(`l${i - 1}`, `/workspace/l${i}`);
    expect(text(layer, '/workspace/l39')).toBe('end');
    expect(codeOf(() => layer.readFile('/workspace/l41', 10))).toBe('path_escape');
  });

  it('take what is written as target, and refuse what no system takes', () => {
    const { layer } = openLayer({ mode });
    for (const target of ['', 'a\0b', 'x'.repeat(5000)])
      expect(codeOf(() => layer.symlink(target, '/workspace/l'))).toBe('invalid_input');
    layer.symlink('../../any where', '/workspace/l');
    expect(layer.readlink('/workspace/l')).toBe('../../any where');
    expect(codeOf(() => layer.symlink('x', '/workspace/l'))).toBe('exists');
    expect(codeOf(() => layer.readlink('/workspace'))).toBe('invalid_input');
  });

  it('are never followed by their last part in rename, remove, lstat and readlink', () => {
    const { layer } = openLayer({ mode, files: { f: 'f' } });
    layer.symlink('f', '/workspace/l');
    layer.rename('/workspace/l', '/workspace/m');
    expect(layer.readlink('/workspace/m')).toBe('f');
    expect(layer.remove('/workspace/m')).toBe(true);
    expect(text(layer, '/workspace/f')).toBe('f');
  });
});

describe('a workspace with a prefix twin beside it', () => {
  it('does not reach the twin by a link', () => {
    const { layer, workspace } = openLayer();
    mkdirSync(`${workspace}-evil`);
    writeFileSync(`${workspace}-evil/x`, 'evil');
    symlinkSync(`${workspace}-evil`, join(workspace, 'twin'));
    symlinkSync('../workspace-evil/x', join(workspace, 'twin-file'));
    expect(codeOf(() => layer.readFile('/workspace/twin/x', 10))).toBe('path_escape');
    expect(codeOf(() => layer.readFile('/workspace/twin-file', 10))).toBe('path_escape');
  });
});
