import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { incomingPath, newTransfer } from '../../../sandbox/protocol/incoming-path.js';
import { codeOf, failure, MODES, names, openLayer, put, text } from './layer-fixture.js';

describe.each(MODES)('reading in %s mode', (mode) => {
  it('readFile gives the bytes of a file', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
    const { layer } = openLayer({ mode, files: { 'deep/er/blob': bytes } });
    expect(Buffer.from(layer.readFile('/workspace/deep/er/blob', 1000)).equals(bytes)).toBe(true);
  });

  it('readFile gives an empty file', () => {
    const { layer } = openLayer({ mode, files: { empty: '' } });
    expect(layer.readFile('/workspace/empty', 0)).toHaveLength(0);
  });

  it('readFile takes exactly maxBytes, and refuses one more with file_too_large', () => {
    const { layer } = openLayer({ mode, files: { a: 'x'.repeat(10) } });
    expect(layer.readFile('/workspace/a', 10)).toHaveLength(10);
    expect(codeOf(() => layer.readFile('/workspace/a', 9))).toBe('file_too_large');
  });

  it('readFile says not_found, is_directory, not_directory', () => {
    const { layer } = openLayer({ mode, files: { 'd/a': 'x' } });
    expect(codeOf(() => layer.readFile('/workspace/none', 10))).toBe('not_found');
    expect(codeOf(() => layer.readFile('/workspace/none/none', 10))).toBe('not_found');
    expect(codeOf(() => layer.readFile('/workspace/d', 10))).toBe('is_directory');
    expect(codeOf(() => layer.readFile('/workspace', 10))).toBe('is_directory');
    expect(codeOf(() => layer.readFile('/workspace/d/a/b', 10))).toBe('not_directory');
    expect(codeOf(() => layer.readFile('/workspace/d/a/', 10))).toBe('not_directory');
  });

  it('names the path of the sandbox and the action in the message', () => {
    const { layer } = openLayer({ mode });
    const error = failure(() => layer.readFile('/workspace/none', 10));
    expect(error.message).toBe("Cannot read '/workspace/none': no such file or directory");
    expect(error.path).toBe('/workspace/none');
  });

  it('stat tells type, size, mode and time', () => {
    const { layer } = openLayer({ mode, files: { a: '12345' } });
    const stat = layer.stat('/workspace/a');
    expect(stat).toMatchObject({ type: 'file', size: 5, mode: 0o644 });
    expect(Math.abs(stat.mtimeMs - Date.now())).toBeLessThan(60_000);
    expect(layer.stat('/workspace').type).toBe('directory');
    expect(layer.stat('/tmp').type).toBe('directory');
    expect(layer.stat('/home/agent/').type).toBe('directory');
  });

  it('the version of a file changes with its content, and only then', () => {
    const { layer } = openLayer({ mode, files: { a: '1' } });
    const first = layer.stat('/workspace/a').version;
    layer.readFile('/workspace/a', 10);
    expect(layer.stat('/workspace/a').version).toBe(first);
    put(layer, '/workspace/a', '2');
    expect(layer.stat('/workspace/a').version).not.toBe(first);
  });

  it('list gives names in order with types, sizes and targets', () => {
    const { layer } = openLayer({ mode, files: { b: 'xy', a: '', 'c/d': '' } });
    layer.symlink('b', '/workspace/l');
    expect(layer.list('/workspace')).toEqual([
      { name: 'a', type: 'file', size: 0 },
      { name: 'b', type: 'file', size: 2 },
      { name: 'c', type: 'directory', size: expect.any(Number) as number },
      { name: 'l', type: 'symlink', size: 1, target: 'b' },
    ]);
    expect(codeOf(() => layer.list('/workspace/a'))).toBe('not_directory');
    expect(codeOf(() => layer.list('/workspace/none'))).toBe('not_found');
  });

  it('the three trees are apart', () => {
    const { layer } = openLayer({ mode });
    for (const root of ['/workspace', '/tmp', '/home/agent']) put(layer, `${root}/same`, root);
    for (const root of ['/workspace', '/tmp', '/home/agent']) expect(text(layer, `${root}/same`)).toBe(root);
  });
});

describe.each(['direct', 'overlay'] as const)('special files in %s mode', (mode) => {
  it('a FIFO, a socket and a device are not_regular_file at once, for reading and for writing', async () => {
    const { layer, workspace } = openLayer({ mode });
    execFileSync('mkfifo', [join(workspace, 'fifo')]);
    const server = createServer().listen(join(workspace, 'socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    const started = performance.now();
    for (const name of ['fifo', 'socket']) {
      expect(codeOf(() => layer.readFile(`/workspace/${name}`, 10))).toBe('not_regular_file');
      expect(codeOf(() => layer.writeFile(`/workspace/${name}`, Buffer.from('x')))).toBe('not_regular_file');
      expect(codeOf(() => layer.writeFile(`/workspace/${name}`, Buffer.from('x'), { append: true }))).toBe(
        'not_regular_file',
      );
      expect(layer.stat(`/workspace/${name}`).type).toBe('other');
    }
    expect(performance.now() - started).toBeLessThan(2000);
    server.close();
  });

  it('a search over a FIFO does not hang', () => {
    const { layer, workspace } = openLayer({ mode, files: { a: 'needle' } });
    execFileSync('mkfifo', [join(workspace, 'fifo')]);
    expect(layer.grep('needle', {}).files).toBe(1);
    expect(layer.glob(['*'], {}).paths).toEqual(['a', 'fifo']);
  });

  it('a directory that nobody may enter is access_denied for an ordinary user', () => {
    if (process.geteuid?.() === 0) return; // root enters everything; `permission-model.test.ts` drops to another user
    const { layer, workspace } = openLayer({ mode });
    mkdirSync(join(workspace, 'closed'), { mode: 0 });
    expect(codeOf(() => layer.readFile('/workspace/closed/a', 10))).toBe('access_denied');
    chmodSync(join(workspace, 'closed'), 0o755);
  });

  it('a file of /proc, which claims no size, is read whole', () => {
    const { layer } = openLayer({ mode, workspaceRoot: '/proc/self', files: {} });
    expect(text(layer, '/workspace/status')).toContain('Name:');
  });

  it('a file that grew or shrank between two reads is read as it is', () => {
    const { layer, workspace } = openLayer({ mode, files: { a: '123' } });
    appendFileSync(join(workspace, 'a'), '456');
    expect(text(layer, '/workspace/a')).toBe('123456');
    truncateSync(join(workspace, 'a'), 1);
    expect(text(layer, '/workspace/a')).toBe('1');
  });

  it('shows a host link into the workspace by its sandbox name', () => {
    const { layer, workspace } = openLayer({ mode, files: { 'd/a': 'in' } });
    symlinkSync(join(workspace, 'd/a'), join(workspace, 'file'));
    symlinkSync(join(workspace, 'd'), join(workspace, 'dir'));
    expect(layer.readlink('/workspace/file')).toBe('/workspace/d/a');
    expect(text(layer, '/workspace/file')).toBe('in');
    expect(text(layer, '/workspace/dir/a')).toBe('in');
    expect(layer.realpath('/workspace/dir/a')).toBe('/workspace/d/a');
  });

  it('never lists a file on its way, and deletes it when its sender is known to be gone, or after a day', () => {
    const { layer, workspace } = openLayer({ mode });
    const dead = newTransfer().replace(/^\d+/, '4194304');
    const foreign = dead.replace(/[0-9a-f]{16}-/, `${'0'.repeat(16)}-`);
    for (const transfer of [newTransfer(), dead, foreign])
      writeFileSync(join(workspace, incomingPath('', transfer)), 'part');
    expect(names(layer, '/workspace')).toEqual([]);
    expect(layer.glob(['**'], {}).paths).toEqual([]);
    const left = readdirSync(workspace);
    expect(left).toHaveLength(2);
    expect(left).not.toContain(incomingPath('', dead));
    const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 25 * 60 * 60 * 1000);
    layer.list('/workspace');
    later.mockRestore();
    expect(readdirSync(workspace)).toEqual([]);
  });

  it('never lists half-written files, and deletes them once they are stale', () => {
    const { layer, workspace } = openLayer({ mode });
    writeFileSync(join(workspace, `.caisson-${'0'.repeat(32)}.tmp`), 'half');
    expect(names(layer, '/workspace')).toEqual([]);
    expect(layer.glob(['**'], {}).paths).toEqual([]);
    expect(codeOf(() => layer.readFile(`/workspace/.caisson-${'0'.repeat(32)}.tmp`, 10))).toBe('invalid_input');
    expect(readdirSync(workspace)).toHaveLength(1);
    const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 120_000);
    layer.list('/workspace');
    later.mockRestore();
    expect(readdirSync(workspace)).toEqual([]);
  });
});
