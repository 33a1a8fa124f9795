import { access, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { type Attacks, codeOf, MiB, pause } from './attack.js';

const text = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString('utf8'));

/** Through the file calls. */
export const fileAttacks: Attacks = {
  'FS-001': async ({ sandbox }) => {
    for (const path of [
      '../../etc/passwd',
      'a/../../../etc/passwd',
      '/workspace/../etc/passwd',
      'a/./../../etc/passwd',
    ]) {
      expect([path, await codeOf(sandbox.fs.readFile(path))]).toEqual([path, 'path_escape']);
      expect([path, await codeOf(sandbox.fs.writeFile(path, 'x'))]).toEqual([path, 'path_escape']);
    }
  },
  'FS-002': async ({ sandbox }) => {
    expect(await codeOf(sandbox.fs.readFile('/etc/passwd'))).toBe('path_escape');
    expect(await codeOf(sandbox.fs.stat('/etc'))).toBe('path_escape');
    expect(await codeOf(sandbox.fs.list('/'))).toBe('path_escape');
  },
  'FS-003': async ({ sandbox }) => {
    for (const path of ['/workspace-evil/x', '/workspace2/x', '/workspac', '//workspace-evil']) {
      expect([path, await codeOf(sandbox.fs.readFile(path))]).toEqual([path, 'path_escape']);
    }
  },
  'FS-004': async ({ open, workspace }) => {
    const root = await workspace();
    await symlink('/etc/shadow', join(root, 'l'));
    await symlink('/etc/hostname', join(root, 'h'));
    const session = await open({ workspace: root });
    expect(await codeOf(session.fs.readFile('l'))).toBe('path_escape');
    expect(await codeOf(session.fs.readFile('h'))).toBe('path_escape');
    expect((await session.exec('cat l')).stdout).toBe('');
  },
  'FS-005': async ({ open, workspace }) => {
    const root = await workspace();
    const secret = join(dirname(root), `secret-${process.pid}`);
    await symlink(`../secret-${process.pid}`, join(root, 'rel'));
    await writeFile(secret, 'SECRET');
    const session = await open({ workspace: root });
    expect(await codeOf(session.fs.readFile('rel'))).toBe('path_escape');
    expect((await session.exec('cat rel')).stdout).toBe('');
  },
  'FS-006': async ({ open, workspace }) => {
    const root = await workspace();
    const outside = `/tmp/caisson-created-${process.pid}`;
    await symlink(outside, join(root, 'dang'));
    const session = await open({ workspace: root });
    expect(await codeOf(session.fs.writeFile('dang', 'x'))).toBe('path_escape');
    await expect(access(outside)).rejects.toThrow();
  },
  'FS-009': async ({ open, workspace }) => {
    const root = await workspace();
    await mkdir(join(root, 'real'), { mode: 0o777 });
    await writeFile(join(root, 'real/passwd'), 'mine');
    const session = await open({ workspace: root });
    const swap = session.exec(
      'while :; do ln -sfn /etc a.tmp; mv -T a.tmp a; ln -sfn real a.tmp; mv -T a.tmp a; done',
      { timeoutMs: 3_000 },
    );
    const seen = new Set<string>();
    const until = performance.now() + 2_500;
    while (performance.now() < until) {
      seen.add(
        await session.fs.readFile('a/passwd').then(
          (bytes) => text(bytes) ?? 'nothing',
          (error: { code: string }) => error.code,
        ),
      );
    }
    await swap;
    expect([...seen].filter((what) => what.includes('root:'))).toEqual([]);
    expect(seen.has('mine')).toBe(true);
  },
  'FS-010': async (stage) => fileAttacks['FS-009']?.(stage),
  'FS-011': async ({ open, workspace }) => {
    const root = await workspace();
    const session = await open({ workspace: root });
    await session.exec('mkdir real');
    const swap = session.exec(
      'while :; do ln -sfn /tmp p.tmp; mv -T p.tmp p; ln -sfn real p.tmp; mv -T p.tmp p; done',
      { timeoutMs: 2_500 },
    );
    const until = performance.now() + 2_000;
    let written = 0;
    while (performance.now() < until) {
      const outcome = await codeOf(session.fs.writeFile('p/sub/file', 'x'));
      if (outcome === 'resolved') written += 1;
      else expect(['path_escape', 'not_found', 'not_directory', 'exists']).toContain(outcome);
    }
    await swap;
    expect(written).toBeGreaterThan(0);
    expect((await session.exec('ls /tmp')).stdout).toBe('');
  },
  'FS-012': async ({ sandbox }) => {
    await sandbox.exec('mkdir -p pipes && mkfifo pipes/ff && echo needle > pipes/file');
    const start = performance.now();
    expect(await codeOf(sandbox.fs.readFile('pipes/ff'))).toBe('not_regular_file');
    expect(await codeOf(sandbox.fs.writeFile('pipes/ff', 'x'))).toBe('not_regular_file');
    expect((await sandbox.fs.grep('needle', { path: 'pipes' })).matches.length).toBe(1);
    expect(performance.now() - start).toBeLessThan(3_000);
  },
  'FS-013': async ({ sandbox }) => {
    await sandbox.exec('python3 -c "import socket; socket.socket(socket.AF_UNIX).bind(\'sock\')"');
    expect(await codeOf(sandbox.fs.readFile('sock'))).toBe('not_regular_file');
    for (const path of ['/dev/zero', '/dev/stdin', '/proc/kmsg'])
      expect(await codeOf(sandbox.fs.readFile(path))).toBe('path_escape');
  },
  'FS-014': async ({ sandbox }) => {
    for (const path of [
      '/proc/self/environ',
      '/proc/self/fd/3',
      '/proc/1/root/etc/passwd',
      '/proc/self/cwd/x',
      '/proc/self/root/workspace/x',
    ]) {
      expect([path, await codeOf(sandbox.fs.readFile(path))]).toEqual([path, 'path_escape']);
    }
  },
  'FS-015': async ({ sandbox }) => {
    await sandbox.exec('echo original > first; ln first second');
    await sandbox.fs.writeFile('second', 'changed');
    expect((await sandbox.exec('cat first')).stdout).toBe('original\n');
  },
  'FS-016': async ({ open, workspace }) => {
    const root = await workspace();
    const session = await open({ workspace: root });
    await session.exec('cp "$(command -v id)" suid; chmod 4755 suid');
    const made = await stat(join(root, 'suid'));
    expect(made.uid).toBe((await stat(root)).uid);
    expect(made.uid).not.toBe(0);
  },
  'FS-017': async ({ open, workspace }) => {
    const root = await workspace();
    const session = await open({ workspace: root });
    expect((await session.exec('mknod blk b 254 0; mknod chr c 1 3')).exitCode).not.toBe(0);
    expect(await readdir(root)).toEqual([]);
  },
  'FS-018': async ({ sandbox }) => {
    for (const call of [
      sandbox.fs.readFile('a\0b.txt'),
      sandbox.fs.writeFile('a\0b', ''),
      sandbox.fs.list('a\0b'),
      sandbox.fs.remove('a\0b'),
    ]) {
      expect(await codeOf(call)).toBe('invalid_input');
    }
  },
  'FS-020': async ({ sandbox }) => {
    const names = [
      'new\nline',
      'tab\there',
      ' leading',
      '-rf',
      'dot.',
      '...',
      '😀',
      'rtl\u202egpj.exe',
      '$(id)',
      "q'uote",
    ];
    for (const name of names) await sandbox.fs.writeFile(`names/${name}`, name);
    expect((await sandbox.fs.list('names'))?.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    for (const name of names) expect(text(await sandbox.fs.readFile(`names/${name}`))).toBe(name);
  },
  'FS-024': async ({ sandbox }) => {
    await sandbox.fs.writeFile('edit', 'x');
    const old = text(await sandbox.fs.readFile('edit')) ?? '';
    await sandbox.fs.writeFile('edit', old.split('x').join('$& $1 $`'));
    expect((await sandbox.exec('cat edit')).stdout).toBe('$& $1 $`');
  },
  'FS-025': async ({ sandbox }) => {
    await sandbox.fs.writeFile('once', 'a a');
    const version = (await sandbox.fs.stat('once'))?.version ?? '';
    await sandbox.fs.writeFile('once', 'b');
    expect(await codeOf(sandbox.fs.writeFile('once', 'c', { ifVersion: version }))).toBe('stale_file');
    expect(text(await sandbox.fs.readFile('once'))).toBe('b');
  },
  'FS-026': async ({ sandbox }) => {
    await sandbox.fs.writeFile('counter', '0');
    let stale = 0;
    const increment = async (): Promise<void> => {
      for (;;) {
        const version = (await sandbox.fs.stat('counter'))?.version ?? '';
        const value = Number(text(await sandbox.fs.readFile('counter')));
        const outcome = await codeOf(sandbox.fs.writeFile('counter', String(value + 1), { ifVersion: version }));
        if (outcome === 'resolved') return;
        expect(outcome).toBe('stale_file');
        stale += 1;
      }
    };
    await Promise.all(Array.from({ length: 30 }, increment));
    expect(text(await sandbox.fs.readFile('counter'))).toBe('30');
    expect(stale).toBeGreaterThan(0);
  },
  'FS-027': async ({ open, workspace, engine }) => {
    const root = await workspace();
    const session = await open({ workspace: root });
    await session.fs.writeFile('big', 'old');
    const controller = new AbortController();
    const pending = codeOf(session.fs.writeFile('big', new Uint8Array(50 * MiB), { signal: controller.signal }));
    await pause(20);
    controller.abort();
    await pending;
    await pause(1_000);
    expect([3, 50 * MiB]).toContain((await stat(join(root, 'big'))).size);
    await session.fs.writeFile('big', 'old');
    const killed = codeOf(session.fs.writeFile('big', new Uint8Array(50 * MiB)));
    await pause(60);
    const [info] = await engine.docker.listContainers({
      filters: JSON.stringify({ label: [`caisson=${session.id}`] }),
    });
    if (info !== undefined)
      await engine.docker
        .getContainer(info.Id)
        .kill()
        .catch(() => {});
    await killed;
    expect([3, 50 * MiB]).toContain((await stat(join(root, 'big'))).size);
  },
  'FS-028': async ({ sandbox }) => {
    const writing = sandbox.exec(
      'while :; do head -c 100000 /dev/zero >> grows; [ $(stat -c %s grows) -gt 5000000 ] && : > grows; done',
      { timeoutMs: 2_000 },
    );
    const until = performance.now() + 1_500;
    while (performance.now() < until) {
      const bytes = await sandbox.fs.readFile('grows', { maxBytes: 10 * MiB });
      expect(bytes?.length ?? 0).toBeLessThan(10 * MiB);
    }
    await writing;
    await sandbox.fs.remove('grows');
  },
  'FS-031': async ({ sandbox }) => {
    const start = performance.now();
    for (const pattern of ['**/**/**/**/**/x', '{a,b}{c,d}'.repeat(20), '[', '!(a|b)', `${'*a'.repeat(50)}`]) {
      const outcome = await codeOf(sandbox.fs.glob(pattern, { timeoutMs: 5_000 }));
      expect(['resolved', 'bad_pattern', 'invalid_input', 'timeout']).toContain(outcome);
    }
    expect(performance.now() - start).toBeLessThan(10_000);
  },
};
