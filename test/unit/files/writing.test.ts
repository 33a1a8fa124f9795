import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeOf, MODES, names, openLayer, put, text } from './layer-fixture.js';

describe.each(MODES)('writing in %s mode', (mode) => {
  it('writeFile makes and replaces files', () => {
    const { layer } = openLayer({ mode });
    put(layer, '/workspace/a', 'one');
    expect(layer.stat('/workspace/a').mode).toBe(0o644);
    put(layer, '/workspace/a', 'two, longer');
    expect(text(layer, '/workspace/a')).toBe('two, longer');
    put(layer, '/workspace/a', '');
    expect(text(layer, '/workspace/a')).toBe('');
    expect(names(layer, '/workspace')).toEqual(['a']);
  });

  it('a new content keeps the mode of the old, a given mode replaces it', () => {
    const { layer } = openLayer({ mode, files: { run: '#!' } });
    layer.chmod('/workspace/run', 0o755);
    put(layer, '/workspace/run', '#!/bin/sh');
    expect(layer.stat('/workspace/run').mode).toBe(0o755);
    layer.writeFile('/workspace/run', Buffer.from(''), { mode: 0o600 });
    expect(layer.stat('/workspace/run').mode).toBe(0o600);
  });

  it('no setuid, setgid or sticky bit comes from a guest', () => {
    const { layer } = openLayer({ mode });
    layer.writeFile('/workspace/a', Buffer.from(''), { mode: 0o6755 });
    expect(layer.stat('/workspace/a').mode).toBe(0o755);
    layer.chmod('/workspace/a', 0o7777);
    expect(layer.stat('/workspace/a').mode).toBe(0o777);
    layer.mkdir('/workspace/d');
    layer.chmod('/workspace/d', 0o7700);
    expect(layer.stat('/workspace/d').mode).toBe(0o700);
  });

  it('append adds at the end, and makes what is missing', () => {
    const { layer } = openLayer({ mode, files: { a: 'one\n' } });
    layer.writeFile('/workspace/a', Buffer.from('two\n'), { append: true });
    layer.writeFile('/workspace/b', Buffer.from('new\n'), { append: true });
    expect(text(layer, '/workspace/a')).toBe('one\ntwo\n');
    expect(text(layer, '/workspace/b')).toBe('new\n');
  });

  it('parents are made only when asked', () => {
    const { layer } = openLayer({ mode });
    expect(codeOf(() => layer.writeFile('/workspace/a/b/c', Buffer.from('')))).toBe('not_found');
    expect(names(layer, '/workspace')).toEqual([]);
    layer.writeFile('/workspace/a/b/c', Buffer.from('x'), { parents: true });
    expect(text(layer, '/workspace/a/b/c')).toBe('x');
    expect(codeOf(() => layer.writeFile('/workspace/a/b/c/d', Buffer.from(''), { parents: true }))).toBe(
      'not_directory',
    );
  });

  it('a directory is not written over', () => {
    const { layer } = openLayer({ mode, files: { 'd/a': '' } });
    for (const path of ['/workspace/d', '/workspace/d/', '/workspace', '/workspace/new/']) {
      expect(codeOf(() => layer.writeFile(path, Buffer.from('')))).toBe('is_directory');
    }
  });

  it('ifVersion writes only what was read', () => {
    const { layer } = openLayer({ mode, files: { a: '1' } });
    const { version } = layer.stat('/workspace/a');
    layer.writeFile('/workspace/a', Buffer.from('2'), { ifVersion: version });
    expect(codeOf(() => layer.writeFile('/workspace/a', Buffer.from('3'), { ifVersion: version }))).toBe('stale_file');
    expect(codeOf(() => layer.writeFile('/workspace/a', Buffer.from('3'), { ifVersion: version, append: true }))).toBe(
      'stale_file',
    );
    expect(codeOf(() => layer.writeFile('/workspace/gone', Buffer.from('3'), { ifVersion: version }))).toBe(
      'stale_file',
    );
    expect(text(layer, '/workspace/a')).toBe('2');
    layer.writeFile('/workspace/a', Buffer.from('4'), { ifVersion: layer.stat('/workspace/a').version });
    expect(text(layer, '/workspace/a')).toBe('4');
  });

  it('ifVersion null writes only where nothing is', () => {
    const { layer } = openLayer({ mode, files: { a: '1' } });
    expect(codeOf(() => layer.writeFile('/workspace/a', Buffer.from('2'), { ifVersion: null }))).toBe('stale_file');
    layer.writeFile('/workspace/b', Buffer.from('2'), { ifVersion: null });
    expect(text(layer, '/workspace/b')).toBe('2');
    expect(codeOf(() => layer.writeFile('/workspace/b', Buffer.from('3'), { ifVersion: null }))).toBe('stale_file');
    expect(names(layer, '/workspace')).toEqual(['a', 'b']);
  });

  it('mkdir makes one directory, or all of a path', () => {
    const { layer } = openLayer({ mode, files: { f: '' } });
    layer.mkdir('/workspace/d');
    expect(codeOf(() => layer.mkdir('/workspace/d'))).toBe('exists');
    expect(codeOf(() => layer.mkdir('/workspace/x/y'))).toBe('not_found');
    layer.mkdir('/workspace/x/y/z', { recursive: true });
    layer.mkdir('/workspace/x/y/z', { recursive: true });
    expect(layer.stat('/workspace/x/y/z')).toMatchObject({ type: 'directory', mode: 0o755 });
    expect(codeOf(() => layer.mkdir('/workspace/f', { recursive: true }))).toBe('exists');
    expect(codeOf(() => layer.mkdir('/workspace/f/x', { recursive: true }))).toBe('not_directory');
    layer.symlink('d', '/workspace/l');
    layer.mkdir('/workspace/l', { recursive: true });
    expect(codeOf(() => layer.mkdir('/workspace/l'))).toBe('exists');
  });

  it('remove tells whether something was there', () => {
    const { layer } = openLayer({ mode, files: { a: '', 'd/b': '', 'd/e/f': '' } });
    expect(layer.remove('/workspace/a')).toBe(true);
    expect(layer.remove('/workspace/a')).toBe(false);
    expect(layer.remove('/workspace/no/such')).toBe(false);
    expect(codeOf(() => layer.remove('/workspace/d'))).toBe('not_empty');
    expect(layer.remove('/workspace/d', { recursive: true })).toBe(true);
    expect(names(layer, '/workspace')).toEqual([]);
    layer.mkdir('/workspace/empty');
    expect(layer.remove('/workspace/empty')).toBe(true);
    expect(codeOf(() => layer.remove('/workspace', { recursive: true }))).toBe('access_denied');
  });

  // Only the host can have made such a name.
  if (mode !== 'memory')
    it('remove takes what has a name that is not UTF-8 along, and nothing else shows it', () => {
      const { layer, workspace } = openLayer({ mode, files: { 'd/a': '1', 'd/\ufffd': '2' } });
      const odd = Buffer.concat([Buffer.from(`${workspace}/d/`), Buffer.from([0xff])]);
      mkdirSync(odd);
      writeFileSync(Buffer.concat([odd, Buffer.from('/\xfe', 'latin1')]), '');
      const seen: string[] = [];
      const listed = layer.list('/workspace/d', { onUnnamed: (name) => seen.push(name) });
      expect([listed.map(({ name }) => name), seen]).toEqual([['a', '\ufffd'], ['\ufffd']]);
      expect(layer.glob(['**'], {})).toMatchObject({ paths: ['d/a', 'd/\ufffd'], unreadable: 1 });
      if (mode === 'overlay') expect(codeOf(() => layer.rename('/workspace/d', '/workspace/e'))).toBe('invalid_input');
      expect(layer.remove('/workspace/d', { recursive: true })).toBe(true);
      expect(names(layer, '/workspace')).toEqual([]);
      expect(existsSync(odd)).toBe(mode === 'overlay');
    });

  it('remove does not go through links in the tree', () => {
    const { layer } = openLayer({ mode, files: { 'keep/a': 'kept' } });
    layer.mkdir('/workspace/d');
    layer.symlink('../keep', '/workspace/d/l');
    layer.remove('/workspace/d', { recursive: true });
    expect(text(layer, '/workspace/keep/a')).toBe('kept');
  });

  it('rename moves files and directories, within and between directories', () => {
    const { layer } = openLayer({ mode, files: { a: 'a', 'd/b': 'b', 'd/e/c': 'c', 'x/y/z': 'z' } });
    layer.rename('/workspace/a', '/workspace/a2');
    layer.rename('/workspace/a2', '/workspace/x/y/a');
    layer.rename('/workspace/x/y/a', '/workspace/d/e/a');
    layer.rename('/workspace/d/e', '/workspace/x/y/e');
    expect(text(layer, '/workspace/x/y/e/a')).toBe('a');
    expect(text(layer, '/workspace/x/y/e/c')).toBe('c');
    expect(names(layer, '/workspace/d')).toEqual(['b']);
    expect(names(layer, '/workspace')).toEqual(['d', 'x']);
  });

  it('rename replaces a file or an empty directory, never a filled one', () => {
    const { layer } = openLayer({ mode, files: { a: 'new', b: 'old', 'd/x': 'x', 'full/y': 'y' } });
    layer.mkdir('/workspace/empty');
    layer.rename('/workspace/a', '/workspace/b');
    expect(text(layer, '/workspace/b')).toBe('new');
    layer.rename('/workspace/d', '/workspace/empty');
    expect(names(layer, '/workspace/empty')).toEqual(['x']);
    expect(codeOf(() => layer.rename('/workspace/empty', '/workspace/full'))).toBe('not_empty');
    expect(codeOf(() => layer.rename('/workspace/b', '/workspace/full'))).toBe('is_directory');
    expect(codeOf(() => layer.rename('/workspace/full', '/workspace/b'))).toBe('not_directory');
    expect(codeOf(() => layer.rename('/workspace/none', '/workspace/b'))).toBe('not_found');
    expect(codeOf(() => layer.rename('/workspace/full', '/workspace/full/in'))).toBe('invalid_input');
    expect(codeOf(() => layer.rename('/workspace', '/workspace/w'))).toBe('access_denied');
    layer.rename('/workspace/b', '/workspace/b');
    expect(text(layer, '/workspace/b')).toBe('new');
  });

  it('rename never makes a path that nobody could remove again', () => {
    const { layer } = openLayer({ mode });
    const deep = Array.from({ length: 10 }, () => 'n'.repeat(200)).join('/');
    for (const top of ['a', 'b']) layer.mkdir(`/workspace/${top}/${deep}`, { recursive: true });
    expect(codeOf(() => layer.rename('/workspace/a', `/workspace/b/${deep}/a`))).toBe('invalid_input');
    expect(codeOf(() => layer.mkdir(`/workspace/${deep}/${deep}/${deep}`, { recursive: true }))).toBe('invalid_input');
    for (const { name } of layer.list('/workspace')) layer.remove(`/workspace/${name}`, { recursive: true });
    expect(names(layer, '/workspace')).toEqual([]);
  });

  it('rename between trees copies, with modes and links', () => {
    const { layer } = openLayer({ mode, files: { 'd/run': '#!', 'd/e/f': 'f' } });
    layer.chmod('/workspace/d/run', 0o755);
    layer.symlink('run', '/workspace/d/l');
    layer.rename('/workspace/d', '/tmp/d');
    expect(layer.stat('/tmp/d/run').mode).toBe(0o755);
    expect(layer.readlink('/tmp/d/l')).toBe('run');
    expect(text(layer, '/tmp/d/e/f')).toBe('f');
    expect(names(layer, '/workspace')).toEqual([]);
    layer.rename('/tmp/d/e/f', '/workspace/f');
    expect(text(layer, '/workspace/f')).toBe('f');
  });

  it('link gives a second name, and a write to one never changes the other', () => {
    const { layer } = openLayer({ mode, files: { a: 'one', 'd/x': '' } });
    layer.link('/workspace/a', '/workspace/d/b');
    expect(text(layer, '/workspace/d/b')).toBe('one');
    put(layer, '/workspace/d/b', 'two');
    expect(text(layer, '/workspace/a')).toBe('one');
    layer.link('/workspace/a', '/workspace/c');
    layer.writeFile('/workspace/c', Buffer.from('+'), { append: true });
    expect([text(layer, '/workspace/a'), text(layer, '/workspace/c')]).toEqual(['one', 'one+']);
    layer.link('/workspace/a', '/workspace/m');
    layer.chmod('/workspace/m', 0o600);
    expect(layer.stat('/workspace/a').mode).toBe(0o644);
    expect(codeOf(() => layer.link('/workspace/a', '/workspace/c'))).toBe('exists');
    expect(codeOf(() => layer.link('/workspace/d', '/workspace/e'))).toBe('is_directory');
    expect(codeOf(() => layer.link('/workspace/a', '/tmp/a'))).toBe('unsupported');
  });

  it('chmod and utimes change files and directories', () => {
    const { layer } = openLayer({ mode, files: { 'd/a': '' } });
    for (const path of ['/workspace/d/a', '/workspace/d']) {
      layer.utimes(path, 1_000_000, 1_234_000);
      expect(layer.stat(path).mtimeMs).toBe(1_234_000);
    }
    layer.chmod('/workspace/d/a', 0o000);
    expect(layer.stat('/workspace/d/a').mode).toBe(0);
    layer.chmod('/workspace/d/a', 0o644);
    expect(layer.stat('/workspace/d/a').mode).toBe(0o644);
    expect(codeOf(() => layer.utimes('/workspace/d/a', Number.NaN, 0))).toBe('invalid_input');
    expect(codeOf(() => layer.chmod('/workspace/none', 0o600))).toBe('not_found');
    expect(codeOf(() => layer.chmod('/workspace', 0))).toBe('access_denied');
  });

  it('leaves nothing of its own behind in the workspace', () => {
    const { layer, workspace, privateRoot } = openLayer({ mode, files: { a: '1', 'd/b': '2' } });
    layer.link('/workspace/a', '/workspace/d/hard');
    layer.rename('/workspace/d/b', '/workspace/c');
    layer.chmod('/workspace/a', 0o600);
    layer.writeFile('/workspace/n', Buffer.from(''), { ifVersion: null });
    codeOf(() => layer.writeFile('/workspace/n', Buffer.from(''), { ifVersion: null }));
    layer.remove('/workspace/d', { recursive: true });
    const left = readdirSync(mode === 'direct' ? workspace : privateRoot, { recursive: true }).map(String);
    expect(left.filter((name) => name.includes('.tmp'))).toEqual([]);
  });
});

describe('writing in direct mode', () => {
  it('writes to the host directory, and replaces files whole', () => {
    const { layer, workspace } = openLayer({ files: { a: 'old' } });
    const before = statSync(join(workspace, 'a')).ino;
    put(layer, '/workspace/a', 'new');
    expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('new');
    expect(statSync(join(workspace, 'a')).ino).not.toBe(before);
  });

  it('appends in place', () => {
    const { layer, workspace } = openLayer({ files: { a: 'old' } });
    const before = statSync(join(workspace, 'a')).ino;
    layer.writeFile('/workspace/a', Buffer.from('+'), { append: true });
    expect(statSync(join(workspace, 'a')).ino).toBe(before);
  });

  it('a write, an append or a chmod to one of several names leaves a file outside alone', () => {
    const { layer, workspace, outside } = openLayer();
    for (const name of ['written', 'appended', 'moded']) linkSync(join(outside, 'secret'), join(workspace, name));
    put(layer, '/workspace/written', 'changed');
    layer.writeFile('/workspace/appended', Buffer.from('changed'), { append: true });
    layer.chmod('/workspace/moded', 0o777);
    layer.utimes('/workspace/moded', 0, 0);
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('SECRET');
    expect(lstatSync(join(outside, 'secret')).mode & 0o777).toBe(0o644);
    expect(lstatSync(join(outside, 'secret')).mtimeMs).toBeGreaterThan(0);
    expect(text(layer, '/workspace/appended')).toBe('SECRETchanged');
  });

  it('drops the setuid bit of a file it replaces, keeps the setgid bit of a directory', () => {
    const { layer, workspace } = openLayer({ files: { a: '' } });
    chmodSync(join(workspace, 'a'), 0o4755);
    put(layer, '/workspace/a', 'x');
    expect(lstatSync(join(workspace, 'a')).mode & 0o7777).toBe(0o755);
    mkdirSync(join(workspace, 'd'));
    chmodSync(join(workspace, 'd'), 0o2755);
    layer.chmod('/workspace/d', 0o700);
    expect(lstatSync(join(workspace, 'd')).mode & 0o7777).toBe(0o2700);
  });

  it('does not create through a dangling link that leads out', () => {
    const { layer, workspace, outside } = openLayer();
    symlinkSync(join(outside, 'created'), join(workspace, 'l'));
    expect(codeOf(() => put(layer, '/workspace/l', 'x'))).toBe('path_escape');
    expect(existsSync(join(outside, 'created'))).toBe(false);
  });

  it('does not meet the quota in the workspace, but in /tmp', () => {
    const { layer } = openLayer({ maxBytes: 1000 });
    put(layer, '/workspace/a', 'x'.repeat(5000));
    expect(codeOf(() => put(layer, '/tmp/a', 'x'.repeat(5000)))).toBe('no_space');
  });

  it('workspaceOnly leaves nothing but the workspace', () => {
    const { layer } = openLayer({ workspaceOnly: true });
    expect(codeOf(() => layer.list('/tmp'))).toBe('path_escape');
    layer.symlink('/tmp/made', '/workspace/l');
    expect(codeOf(() => put(layer, '/workspace/l', 'x'))).toBe('path_escape');
  });

  it('tidies up what a killed process left in the workspace', () => {
    const { workspace, privateRoot, again } = openLayer({ files: { 'a/x': '' } });
    const half = `.caisson-${'a'.repeat(32)}.tmp`;
    const staged = `.caisson-${'b'.repeat(32)}.tmp`;
    writeFileSync(join(workspace, 'a', half), 'half');
    writeFileSync(join(workspace, staged), 'moving');
    const note = (pid: number, what: object) =>
      writeFileSync(join(privateRoot, 'in-flight', String(pid)), `${JSON.stringify(what)}\nrest of an older note`);
    note(4_000_001, { directory: join(workspace, 'a'), name: half });
    note(4_000_002, { directory: workspace, name: staged, cameFrom: { directory: join(workspace, 'a'), name: 'm' } });
    note(4_000_003, { directory: join(workspace, 'none'), name: half });
    again();
    expect(readdirSync(workspace)).toEqual(['a']);
    expect(readdirSync(join(workspace, 'a')).toSorted()).toEqual(['m', 'x']);
    expect(readdirSync(join(privateRoot, 'in-flight')).filter((name) => name.startsWith('400000'))).toEqual([]);
  });
});
