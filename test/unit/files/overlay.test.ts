import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Change } from '../../../sandbox/protocol/files.js';
import { codeOf, type Fixture, failure, names, openLayer, plan, plant, put, text } from './layer-fixture.js';

const FILES = { a: 'a1', 'd/b': 'b1', 'd/e/c': 'c1', 'x/y': 'y1' };

function open(options: Parameters<typeof openLayer>[0] = {}): Fixture & { before: string } {
  const fixture = openLayer({ mode: 'overlay', files: FILES, ...options });
  return { ...fixture, before: snapshot(fixture.workspace) };
}

/** Everything about a tree, as text. */
function snapshot(root: string): string {
  return readdirSync(root, { recursive: true })
    .map(String)
    .toSorted()
    .map((path) => {
      const stat = lstatSync(join(root, path));
      const content = stat.isFile()
        ? readFileSync(join(root, path), 'latin1')
        : stat.isSymbolicLink()
          ? readlinkSync(join(root, path))
          : '';
      return `${path} ${stat.mode.toString(8)} ${stat.mtimeMs} ${content}`;
    })
    .join('\n');
}

function becomeLink(path: string): void {
  rmSync(path, { recursive: true });
  symlinkSync('/etc', path);
}

function summary(changes: readonly Change[]): string[] {
  return changes.map(({ kind, path, type }) => `${kind} ${type} ${path}`);
}

describe('an overlay', () => {
  it('never changes what is below', () => {
    const { layer, workspace, before } = open();
    put(layer, '/workspace/a', 'a2');
    put(layer, '/workspace/new/file', 'n');
    layer.writeFile('/workspace/d/b', Buffer.from('+'), { append: true });
    layer.chmod('/workspace/d/e/c', 0o755);
    layer.chmod('/workspace/d', 0o700);
    layer.utimes('/workspace/x/y', 1000, 1000);
    layer.rename('/workspace/d', '/workspace/moved');
    layer.link('/workspace/a', '/workspace/hard');
    layer.symlink('a', '/workspace/soft');
    layer.remove('/workspace/x', { recursive: true });
    layer.discard();
    expect(snapshot(workspace)).toBe(before);
    expect(text(layer, '/workspace/a')).toBe('a1');
    expect(layer.changes()).toEqual([]);
  });

  it('shows both layers as one', () => {
    const { layer, workspace } = open();
    put(layer, '/workspace/d/own', 'o');
    put(layer, '/workspace/d/b', 'b2');
    expect(names(layer, '/workspace/d')).toEqual(['b', 'e', 'own']);
    expect(text(layer, '/workspace/d/b')).toBe('b2');
    plant(workspace, { 'd/late': 'l' });
    expect(names(layer, '/workspace/d')).toEqual(['b', 'e', 'late', 'own']);
  });

  it('hides what was removed, and shows what was made again', () => {
    const { layer } = open();
    layer.remove('/workspace/a');
    expect(codeOf(() => layer.stat('/workspace/a'))).toBe('not_found');
    expect(layer.remove('/workspace/a')).toBe(false);
    expect(names(layer, '/workspace')).toEqual(['d', 'x']);
    put(layer, '/workspace/a', 'again');
    expect(text(layer, '/workspace/a')).toBe('again');
    layer.remove('/workspace/a');
    expect(names(layer, '/workspace')).toEqual(['d', 'x']);
  });

  it('a directory made again does not show what was in the old one', () => {
    const { layer } = open();
    layer.remove('/workspace/d', { recursive: true });
    layer.mkdir('/workspace/d');
    expect(names(layer, '/workspace/d')).toEqual([]);
    put(layer, '/workspace/d/b', 'new');
    expect(names(layer, '/workspace/d')).toEqual(['b']);
    expect(codeOf(() => layer.stat('/workspace/d/e/c'))).toBe('not_found');
  });

  it('moves directories of the lower layer, there and back', () => {
    const { layer } = open();
    layer.remove('/workspace/d/b');
    layer.rename('/workspace/d', '/workspace/z');
    expect(names(layer, '/workspace')).toEqual(['a', 'x', 'z']);
    expect(names(layer, '/workspace/z')).toEqual(['e']);
    layer.rename('/workspace/z', '/workspace/d');
    expect(names(layer, '/workspace/d')).toEqual(['e']);
    expect(text(layer, '/workspace/d/e/c')).toBe('c1');
    expect(summary(layer.changes())).toEqual(['deleted file d/b']);
  });

  it('a file takes the place of a directory, and the reverse', () => {
    const { layer } = open();
    layer.remove('/workspace/d', { recursive: true });
    put(layer, '/workspace/d', 'now a file');
    layer.remove('/workspace/a');
    put(layer, '/workspace/a/in', 'now a directory');
    expect(summary(layer.changes())).toEqual([
      'deleted file a',
      'added directory a',
      'added file a/in',
      'deleted directory d',
      'deleted file d/b',
      'deleted directory d/e',
      'deleted file d/e/c',
      'added file d',
    ]);
  });

  it('a directory moved over an empty one of the lower layer shows only itself', () => {
    const { layer, workspace } = open();
    mkdirSync(join(workspace, 'empty'));
    layer.rename('/workspace/d', '/workspace/empty');
    plant(workspace, { 'empty/late': '' });
    expect(names(layer, '/workspace/empty')).toEqual(['b', 'e']);
  });

  it('is the same for another process', () => {
    const { layer, again } = open();
    const other = again();
    put(layer, '/workspace/a', 'a2');
    expect(text(other, '/workspace/a')).toBe('a2');
    other.remove('/workspace/d', { recursive: true });
    expect(names(layer, '/workspace')).toEqual(['a', 'x']);
    layer.mkdir('/workspace/d');
    put(other, '/workspace/d/n', 'n');
    expect(names(layer, '/workspace/d')).toEqual(['n']);
    expect(other.changes()).toEqual(layer.changes());
  });

  it('asks the lower file whether it may be written', () => {
    const { layer, workspace } = open();
    execFileSync('mkfifo', [join(workspace, 'fifo')]);
    expect(codeOf(() => put(layer, '/workspace/fifo', 'x'))).toBe('not_regular_file');
  });

  it('does not take guest names for its marks', () => {
    const { layer, privateRoot } = open();
    layer.remove('/workspace/a');
    const mark = readdirSync(join(privateRoot, 'upper')).find((name) => name.endsWith('.gone')) ?? '';
    expect(mark).not.toBe('');
    for (const work of [
      () => layer.remove(`/workspace/${mark}`),
      () => layer.readFile(`/workspace/${mark}`, 1000),
      () => put(layer, `/workspace/${mark}`, '{}'),
      () => layer.rename('/workspace/d', `/workspace/${mark}`),
    ]) {
      expect(codeOf(work)).toBe('invalid_input');
    }
    layer.symlink(mark, '/workspace/l');
    expect(codeOf(() => layer.readFile('/workspace/l', 1000))).toBe('not_found');
  });
});

describe('changes()', () => {
  it('lists what was added, modified and deleted, in path order, with texts', () => {
    const { layer } = open();
    put(layer, '/workspace/a', 'a2');
    put(layer, '/workspace/n/f', 'new');
    layer.remove('/workspace/x/y');
    layer.symlink('a', '/workspace/l');
    expect(layer.changes()).toEqual([
      { path: 'a', kind: 'modified', type: 'file', mode: 0o644, before: 'a1', after: 'a2' },
      { path: 'l', kind: 'added', type: 'symlink', after: 'a' },
      { path: 'n', kind: 'added', type: 'directory', mode: 0o755 },
      { path: 'n/f', kind: 'added', type: 'file', mode: 0o644, after: 'new' },
      { path: 'x/y', kind: 'deleted', type: 'file', before: 'y1' },
    ]);
  });

  it('does not list what was written again as it was, nor times', () => {
    const { layer } = open();
    put(layer, '/workspace/a', 'a1');
    layer.utimes('/workspace/d/b', 5000, 5000);
    layer.rename('/workspace/x', '/workspace/z');
    layer.rename('/workspace/z', '/workspace/x');
    expect(layer.changes()).toEqual([]);
  });

  it('lists a change of mode alone', () => {
    const { layer } = open();
    layer.chmod('/workspace/a', 0o755);
    layer.chmod('/workspace/d', 0o700);
    expect(layer.changes()).toEqual([
      { path: 'a', kind: 'modified', type: 'file', mode: 0o755, beforeMode: 0o644, before: 'a1', after: 'a1' },
      { path: 'd', kind: 'modified', type: 'directory', mode: 0o700, beforeMode: expect.any(Number) },
    ]);
  });

  it('leaves out texts that are binary, not UTF-8, over 1 MiB, or closed by a rule', () => {
    const { layer } = open({ plan: plan({ denyRead: ['key'] }) });
    put(layer, '/workspace/binary', 'a\0b');
    put(layer, '/workspace/invalid', Uint8Array.from([0xc3, 0x28]));
    put(layer, '/workspace/large', 'x'.repeat(1024 * 1024 + 1));
    put(layer, '/workspace/limit', 'x'.repeat(1024 * 1024));
    put(layer, '/workspace/key', 'closed');
    put(layer, '/workspace/bom', '\ufefftext');
    const after = new Map(layer.changes().map((change) => [change.path, change.after]));
    for (const path of ['binary', 'invalid', 'large', 'key']) expect(after.get(path)).toBeUndefined();
    expect(after.get('limit')).toHaveLength(1024 * 1024);
    expect(after.get('bom')).toBe('\ufefftext');
  });

  it('leaves out texts beyond 16 MiB together', () => {
    const { layer } = open();
    for (let i = 0; i < 20; i += 1) put(layer, `/workspace/f${String(i).padStart(2, '0')}`, 'x'.repeat(1024 * 1024));
    const added = layer.changes();
    expect(added).toHaveLength(20);
    expect(added.filter((change) => change.after !== undefined)).toHaveLength(16);
  });

  it('lists everything as added in memory mode; there is none in direct mode', () => {
    const { layer } = openLayer({ mode: 'memory', files: FILES });
    expect(summary(layer.changes())).toEqual([
      'added file a',
      'added directory d',
      'added file d/b',
      'added directory d/e',
      'added file d/e/c',
      'added directory x',
      'added file x/y',
    ]);
    for (const mode of ['memory', 'direct'] as const) {
      const other = openLayer({ mode }).layer;
      for (const work of [() => other.commit(), () => other.discard()]) {
        const error = failure(work);
        expect(error.code).toBe('unsupported');
        expect(error.message).toContain("use workspaceMode 'overlay'");
      }
    }
    expect(codeOf(() => openLayer().layer.changes())).toBe('unsupported');
  });
});

describe('commit()', () => {
  it('writes everything to the workspace, with modes, and forgets the changes', () => {
    const { layer, workspace } = open();
    chmodSync(join(workspace, 'a'), 0o755);
    put(layer, '/workspace/a', 'a2');
    put(layer, '/workspace/n/run', '#!');
    layer.chmod('/workspace/n/run', 0o700);
    layer.symlink('a', '/workspace/l');
    layer.remove('/workspace/d', { recursive: true });
    put(layer, '/workspace/d', 'file now');
    layer.rename('/workspace/x', '/workspace/z');
    const planned = layer.changes();
    expect(layer.commit()).toEqual({
      added: planned.filter((change) => change.kind === 'added').length,
      modified: 1,
      deleted: planned.filter((change) => change.kind === 'deleted').length,
    });
    expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('a2');
    expect(lstatSync(join(workspace, 'a')).mode & 0o777).toBe(0o755);
    expect(lstatSync(join(workspace, 'n/run')).mode & 0o777).toBe(0o700);
    expect(readlinkSync(join(workspace, 'l'))).toBe('a');
    expect(readFileSync(join(workspace, 'd'), 'utf8')).toBe('file now');
    expect(readFileSync(join(workspace, 'z/y'), 'utf8')).toBe('y1');
    expect(existsSync(join(workspace, 'x'))).toBe(false);
    expect(readdirSync(workspace).filter((name) => name.startsWith('.caisson'))).toEqual([]);
    expect(layer.changes()).toEqual([]);
    expect(layer.commit()).toEqual({ added: 0, modified: 0, deleted: 0 });
  });

  it.each<[string, (host: string) => void, (fixture: Fixture) => void]>([
    [
      'a file changed on both sides',
      (host) => writeFileSync(join(host, 'a'), 'host'),
      ({ layer }) => put(layer, '/workspace/a', 'mine'),
    ],
    [
      'a file appended to here',
      (host) => writeFileSync(join(host, 'a'), 'host'),
      ({ layer }) => layer.writeFile('/workspace/a', Buffer.from('+'), { append: true }),
    ],
    [
      'a file removed here',
      (host) => writeFileSync(join(host, 'a'), 'host'),
      ({ layer }) => void layer.remove('/workspace/a'),
    ],
    [
      'a file moved here',
      (host) => writeFileSync(join(host, 'a'), 'host'),
      ({ layer }) => layer.rename('/workspace/a', '/workspace/b'),
    ],
    ['a file removed there', (host) => rmSync(join(host, 'a')), ({ layer }) => put(layer, '/workspace/a', 'mine')],
    [
      'a file made on both sides',
      (host) => writeFileSync(join(host, 'new'), 'host'),
      ({ layer }) => put(layer, '/workspace/new', 'mine'),
    ],
    [
      'a link where a file was',
      (host) => becomeLink(join(host, 'a')),
      ({ layer }) => put(layer, '/workspace/a', 'mine'),
    ],
    [
      'a file in a directory removed here',
      (host) => writeFileSync(join(host, 'd/e/c'), 'host'),
      ({ layer }) => void layer.remove('/workspace/d', { recursive: true }),
    ],
    [
      'a new file in a directory moved here',
      (host) => writeFileSync(join(host, 'd/late'), 'host'),
      ({ layer }) => layer.rename('/workspace/d', '/workspace/b'),
    ],
    [
      'a directory that became a link',
      (host) => becomeLink(join(host, 'x')),
      ({ layer }) => put(layer, '/workspace/x/n', 'mine'),
    ],
  ])('refuses %s, and writes nothing', (_, there, here) => {
    const fixture = open();
    put(fixture.layer, '/workspace/other', 'x');
    here(fixture);
    there(fixture.workspace);
    const before = snapshot(fixture.workspace);
    const error = failure(() => fixture.layer.commit());
    expect(error.code).toBe('stale_file');
    expect(error.message).toMatch(/nothing was written/);
    expect(snapshot(fixture.workspace)).toBe(before);
  });

  it('takes a file that was only touched, or saved again as it was, for what it was', () => {
    const { layer, workspace } = open({ files: { a: 'one', b: 'two', c: 'three' } });
    put(layer, '/workspace/a', 'mine');
    put(layer, '/workspace/b', 'mine too');
    layer.remove('/workspace/c');
    utimesSync(join(workspace, 'a'), 1, 1);
    writeFileSync(join(workspace, 'saved'), 'two');
    renameSync(join(workspace, 'saved'), join(workspace, 'b'));
    utimesSync(join(workspace, 'c'), 1, 1);
    expect(layer.commit()).toEqual({ added: 0, modified: 2, deleted: 1 });
    expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('mine');
  });

  it('takes a file with other bytes of the same number for another', () => {
    const { layer, workspace } = open({ files: { a: 'one' } });
    put(layer, '/workspace/a', 'mine');
    writeFileSync(join(workspace, 'a'), 'two');
    utimesSync(join(workspace, 'a'), 1, 1);
    expect(failure(() => layer.commit()).code).toBe('stale_file');
  });

  it('names at most ten stale files', () => {
    const many = Object.fromEntries(Array.from({ length: 13 }, (_, i) => [`f${i + 10}`, '1']));
    const { layer, workspace } = open({ files: many });
    for (const path of Object.keys(many)) put(layer, `/workspace/${path}`, '2');
    for (const path of Object.keys(many)) writeFileSync(join(workspace, path), '3');
    const { message } = failure(() => layer.commit());
    expect(message).toContain("'f10', 'f11'");
    expect(message).toContain("'f19' and 3 more");
    expect(message).not.toContain("'f20'");
  });

  it('takes other changes in the workspace as they are', () => {
    const { layer, workspace } = open();
    put(layer, '/workspace/d/b', 'mine');
    writeFileSync(join(workspace, 'a'), 'theirs');
    plant(workspace, { 'd/late': 'theirs' });
    expect(layer.commit()).toEqual({ added: 0, modified: 1, deleted: 0 });
    expect(readFileSync(join(workspace, 'd/late'), 'utf8')).toBe('theirs');
    expect(text(layer, '/workspace/a')).toBe('theirs');
  });

  it('refuses what a rule denies, and writes nothing', () => {
    const { layer, workspace, before } = open();
    put(layer, '/workspace/d/b', 'x');
    put(layer, '/workspace/a', 'x');
    layer.enforce(plan({ denyWrite: ['d/**'] }));
    expect(codeOf(() => layer.commit())).toBe('access_denied');
    expect(snapshot(workspace)).toBe(before);
  });

  it('does what an interrupted commit left to do', () => {
    const { layer, workspace, privateRoot } = open();
    put(layer, '/workspace/a', 'a2');
    put(layer, '/workspace/n', 'n');
    layer.remove('/workspace/d', { recursive: true });
    put(layer, '/workspace/d/new', 'new');
    layer.remove('/workspace/x/y');
    // As a kill in the middle leaves it: checked, some files written, part of the directory deleted.
    writeFileSync(join(privateRoot, 'committing.json'), JSON.stringify(['d']));
    writeFileSync(join(workspace, 'a'), 'a2');
    rmSync(join(workspace, 'd/b'));
    layer.commit();
    expect(readdirSync(workspace, { recursive: true }).map(String).toSorted()).toEqual(['a', 'd', 'd/new', 'n', 'x']);
    expect(layer.changes()).toEqual([]);
  });
});
