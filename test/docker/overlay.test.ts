import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import {
  appendFile,
  chmod,
  chown,
  cp,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { SandboxSession } from '../../src/sandbox/contract.js';
import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import type { DockerSandboxOptions } from '../../src/sandbox/docker/options.js';
import { reap } from '../../src/sandbox/docker/reaper.js';
import { createIsolateSandbox } from '../../src/sandbox/isolate/create-isolate-sandbox.js';
import type { EnforcementPlan } from '../../src/sandbox/plan.js';
import { unifiedDiff } from '../../src/sandbox/unified-diff.js';
import { codeOf, eventually, MiB } from './attacks/attack.js';
import { describeOnDocker, leftovers } from './engine.js';
import { COPIED, giveAllToWorkspaceOwner, makeWorkspace, WORKSPACE_UID } from './workspaces.js';

const SECRETS: EnforcementPlan = {
  denyRead: [
    { glob: '**/.env', rule: 'read_file(**/.env)' },
    { glob: 'secrets/**', rule: 'read_file(secrets/**)' },
  ],
  denyWrite: [],
};

const FIXTURES = join(import.meta.dirname, 'fixtures');

describeOnDocker('overlays', (engine) => {
  const sessions: SandboxSession[] = [];
  const directories: string[] = [];

  afterEach(async () => {
    await Promise.all(sessions.splice(0).map((session) => session.dispose()));
    await Promise.all(directories.splice(0).map((directory) => rm(directory, { recursive: true, force: true })));
  });

  /** @param files by path: text, or a link's target after `->` */
  const project = async (files: Record<string, string> = {}): Promise<string> => {
    const root = await makeWorkspace();
    directories.push(root);
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(root, path, '..'), { recursive: true });
      if (text.startsWith('->')) await symlink(text.slice(2), join(root, path));
      else await writeFile(join(root, path), text);
    }
    await giveAllToWorkspaceOwner(root);
    return root;
  };
  const overlay = (workspace: string, options: DockerSandboxOptions = {}): SandboxSession => {
    const session = createDockerSandbox({ workspace, workspaceMode: 'overlay', ...options });
    sessions.push(session);
    return session;
  };
  const kinds = async (session: SandboxSession) => (await session.changes()).map(({ kind, path }) => `${kind} ${path}`);
  const startHost = (args: string[], user: { uid?: number; gid?: number } = {}) =>
    spawn(
      process.execPath,
      [
        '--no-warnings',
        '--import',
        join(FIXTURES, 'typescript-hooks.mjs'),
        join(FIXTURES, 'holds-a-session.ts'),
        ...args,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, DOCKER_HOST: engine.endpoint.host }, ...user },
    );

  const FORMS = { volume: {}, copy: COPIED };

  it('look through to the workspace, and say so; a limit on the disk has it copied', async () => {
    const root = await project({ a: 'a\n' });
    const through = overlay(root);
    expect((await through.exec('cat a; id -u; findmnt -no FSTYPE /workspace')).stdout).toBe(
      `a\n${WORKSPACE_UID}\noverlay\n`,
    );
    expect(through.capabilities).toMatchObject({ overlay: 'volume', limits: { maxDiskBytes: false } });
    expect(through.description).toContain('without a limit');
    const copied = overlay(root, COPIED);
    expect((await copied.exec('cat a; findmnt -no FSTYPE /workspace')).stdout).toBe('a\ntmpfs\n');
    expect(copied.capabilities).toMatchObject({ overlay: 'copy', limits: { maxDiskBytes: true } });
  });

  it('copy what belongs to root, whom commands do not run as', async () => {
    const root = await project({ a: 'a\n' });
    if (process.getuid?.() === 0) await chown(root, 0, 0);
    const session = overlay(root);
    expect((await session.exec('cat a')).stdout).toBe('a\n');
    expect(session.capabilities.overlay).toBe(process.getuid?.() === 0 ? 'copy' : 'volume');
  });

  it('look through to a path that mount options could not hold', async () => {
    const root = join(await project(), 'a,b:c\\d e');
    await mkdir(root);
    await writeFile(join(root, 'x'), 'x\n');
    await giveAllToWorkspaceOwner(root);
    const session = overlay(root);
    expect((await session.exec('cat x')).stdout).toBe('x\n');
    expect(session.capabilities.overlay).toBe('volume');
  });

  it('begin at once with files larger than all of their memory, and write them back', async () => {
    const root = await project();
    const size = 300 * MiB;
    const file = await open(join(root, 'big'), 'w');
    await file.write('end', size - 3);
    await file.close();
    await giveAllToWorkspaceOwner(root);
    const session = overlay(root, { limits: { memoryBytes: 256 * MiB } });
    expect((await session.exec('tail -c 3 big')).stdout).toBe('end');
    await session.exec('printf new | dd of=big bs=1 conv=notrunc status=none');
    expect(await kinds(session)).toEqual(['modified big']);
    expect(await session.commit()).toEqual({ added: 0, modified: 1, deleted: 0 });
    const written = await open(join(root, 'big'));
    const { buffer } = await written.read(Buffer.alloc(3), 0, 3, 0);
    await written.close();
    const committed = await stat(join(root, 'big'));
    expect([buffer.toString(), committed.size]).toEqual(['new', size]);
    // What is a hole inside takes no room outside either.
    expect(committed.blocks * 512).toBeLessThan(size / 4);
    expect(await session.changes()).toEqual([]);
    await session.exec('rm big');
    await session.discard();
    expect((await session.exec('head -c 3 big; tail -c 3 big; stat -c %s big')).stdout).toBe(`newend${size}\n`);
  }, 120_000);

  for (const [form, options] of Object.entries(FORMS)) {
    const before = {
      'dir/deep/f': 'f\n',
      'dir/g': 'g\n',
      'gone/x': 'x\n',
      link: '->text',
      mode: 'm\n',
      moved: 'moved\n',
      remade: 'old\n',
      'replaced/by/file': 'r\n',
      text: 'one\ntwo\n',
      touched: 't\n',
      becomes: 'file\n',
    };
    const alter = [
      'printf "one\\n2\\n" > text; touch touched; chmod 755 mode; mv moved moved2; mv dir/g dir/deep/',
      'rm -r gone; rm remade; printf "new\\n" > remade; ln -sfn mode link; rm -r replaced; printf "now a file\\n" > replaced',
      'rm becomes; mkdir becomes; printf "in\\n" > becomes/in; mkdir -p new/dir; printf "#!/bin/sh\\n" > new/dir/run; chmod 755 new/dir/run',
    ].join('; ');
    const all = 'find . -mindepth 1 -printf "%P %y %m %l\\n" | sort; find . -type f | sort | xargs cat';

    it(`${form}: what commands do comes out by commit(), and discard() undoes it`, async () => {
      const root = await project(before);
      const session = overlay(root, options);
      const untouched = (await session.exec(all)).stdout;
      await session.exec(alter);
      expect(session.capabilities.overlay).toBe(form);
      const listed = await kinds(session);
      expect(listed).toContain('modified mode');
      expect(listed).toContain('deleted gone/x');
      expect(listed).not.toContain('modified touched');
      await session.discard();
      expect(await session.changes()).toEqual([]);
      expect((await session.exec(all)).stdout).toBe(untouched);

      await session.exec(alter);
      const altered = (await session.exec(all)).stdout;
      await session.commit();
      expect(await session.changes()).toEqual([]);
      expect(execFileSync('bash', ['-c', all], { cwd: root, encoding: 'utf8' })).toBe(altered);
      expect((await stat(join(root, 'new/dir/run'))).uid).toBe(
        form === 'volume' ? WORKSPACE_UID : (await stat(root)).uid,
      );
    });

    it(`${form}: git apply makes of the origin what commit() makes of it`, async () => {
      const root = await project(before);
      const session = overlay(root, options);
      await session.exec(alter);
      await expectSamePatched(session, root, all);
    });

    it(`${form}: changed underneath is stale, with its name; touched or changed back is not`, async () => {
      const root = await project({ a: 'one\n', b: 'two\n', 'd/x': 'x\n' });
      const session = overlay(root, options);
      await session.exec('echo mine > a; echo mine > b');
      // Small files are hashed while there is nothing else to do.
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      await utimes(join(root, 'a'), 1, 1);
      await writeFile(join(root, 'b'), 'theirs\n');
      await expect(session.commit()).rejects.toMatchObject({
        code: 'stale_file',
        message: expect.stringContaining("'b'"),
      });
      await expect(session.commit()).rejects.not.toThrow(/'a'/);
      expect(await readFile(join(root, 'a'), 'utf8')).toBe('one\n');
      await writeFile(join(root, 'b'), 'two\n');
      expect(await session.commit()).toEqual({ added: 0, modified: 2, deleted: 0 });

      await session.exec('rm -r d');
      await writeFile(join(root, 'd/theirs'), 'new\n');
      expect(await codeOf(session.commit())).toBe('stale_file');
      expect(await readFile(join(root, 'd/theirs'), 'utf8')).toBe('new\n');
    });

    it(`${form}: what only the origin changed is no change of the sandbox's`, async () => {
      const root = await project({ a: 'one\n', b: 'two\n', c: 'three\n' });
      const session = overlay(root, options);
      await session.exec('echo mine > a');
      await appendFile(join(root, 'b'), 'theirs\n');
      await writeFile(join(root, 'late'), 'theirs\n');
      await rm(join(root, 'c'));
      expect(await kinds(session)).toEqual(['modified a']);
      expect(await session.commit()).toEqual({ added: 0, modified: 1, deleted: 0 });
      expect((await readdir(root)).sort()).toEqual(['a', 'b', 'late']);
      expect(await readFile(join(root, 'b'), 'utf8')).toBe('two\ntheirs\n');
    });

    it(`${form}: what cannot be read is not committed as if it were empty`, async () => {
      const root = await project({ a: 'one\n' });
      const session = overlay(root, options);
      await session.exec('chmod 000 a; mkdir closed; echo x > closed/x; chmod 000 closed');
      expect(await codeOf(session.commit())).toBe('access_denied');
      expect(await readFile(join(root, 'a'), 'utf8')).toBe('one\n');
      await session.exec('chmod 644 a; chmod 755 closed');
      expect(await session.commit()).toEqual({ added: 2, modified: 0, deleted: 0 });
    });

    it(`${form}: what may not be read is in no change, diff or snapshot, and stays as it is`, async () => {
      const root = await project({
        '.env': 'TOKEN=1\n',
        'app/.env': 'TOKEN=2\n',
        'app/code': 'code\n',
        'secrets/key': 'KEY\n',
      });
      const session = overlay(root, { ...options, plan: SECRETS });
      expect(await session.changes()).toEqual([]);
      const id = await session.snapshot?.();
      await session.exec(
        'echo more >> app/code; rm -f app/.env; mv .env elsewhere; chmod 777 elsewhere secrets; rm -rf elsewhere',
      );
      const text = JSON.stringify(await session.changes()) + unifiedDiff(await session.changes());
      expect(text).not.toMatch(/TOKEN|KEY|\.env|secrets/);
      expect(await session.commit()).toEqual({ added: 0, modified: 1, deleted: 0 });
      if (id !== undefined) await session.restore?.(id);
      expect((await session.exec('cat app/code; cat .env app/.env secrets/key secrets/* 2>/dev/null')).stdout).toBe(
        'code\n',
      );
      await session.exec('rm -rf .env; echo FORGED > .env');
      expect(await codeOf(session.commit())).toBe('access_denied');
      await session.discard();
      expect((await session.exec('cat .env app/.env')).stdout).toBe('');
      expect(await readFile(join(root, '.env'), 'utf8')).toBe('TOKEN=1\n');
      expect(await readFile(join(root, 'app/.env'), 'utf8')).toBe('TOKEN=2\n');
      expect(await readFile(join(root, 'secrets/key'), 'utf8')).toBe('KEY\n');
    });
  }

  it('keep for a snapshot what a commit writes over, and say when only the origin had it', async () => {
    const root = await project({ a: 'one\n', b: 'two\n' });
    const session = overlay(root);
    const id = (await session.snapshot?.()) ?? { id: '' };
    await session.exec('echo mine > a; echo mine > b');
    await session.commit();
    await session.restore?.(id);
    expect((await session.exec('cat a b')).stdout).toBe('one\ntwo\n');
    expect(await kinds(session)).toEqual(['modified a', 'modified b']);
    const later = (await session.snapshot?.()) ?? { id: '' };
    await session.discard();
    await session.restore?.(later);
    expect((await session.exec('cat a b')).stdout).toBe('one\ntwo\n');
    await session.discard();
    const last = (await session.snapshot?.()) ?? { id: '' };
    await session.exec('echo again > a');
    await writeFile(join(root, 'a'), 'theirs\n');
    expect(await codeOf(session.restore?.(last) ?? Promise.resolve())).toBe('stale_file');
  });

  it('hide a file from commands although the host replaces it meanwhile', async () => {
    const root = await project({ '.env': 'TOKEN=1\n' });
    const session = overlay(root, { plan: SECRETS });
    await session.exec('true');
    await writeFile(join(root, 'next'), 'TOKEN=2\n');
    await rename(join(root, 'next'), join(root, '.env'));
    expect((await session.exec('cat .env; chmod 644 .env; cat .env; mv .env x; cat x; cat .env')).stdout).toBe('');
  });

  it('of the isolate make the same patch', async () => {
    const root = await project({ text: 'one\ntwo\n', gone: 'x\n', 'd/moved': 'm\n' });
    await using session = createIsolateSandbox({ workspace: root, workspaceMode: 'overlay' });
    await session.exec(
      'echo 2 >> text; rm gone; mv d/moved d/here; chmod 755 d/here; ln -s text link; mkdir -p n; echo x > n/f',
    );
    await expectSamePatched(session, root, 'find . -type f -o -type l | sort; cat text d/here n/f');
  });

  it('that do not fit into memory are refused before anything starts, naming what is big', async () => {
    const root = await project({ 'small/x': 'x\n' });
    await mkdir(join(root, 'large'));
    const file = await open(join(root, 'large/file'), 'w');
    await file.truncate(700 * MiB);
    await file.close();
    await giveAllToWorkspaceOwner(root);
    const session = overlay(root, { limits: { memoryBytes: 512 * MiB, maxDiskBytes: 64 * MiB } });
    await expect(session.start()).rejects.toThrow(/'large' \(701 MiB\).*limits\.memoryBytes/);
    expect(await leftovers(engine)).toEqual([]);
  });

  it('leave nothing after twenty sessions', async () => {
    const root = await project({ a: 'a\n', '.env': 'TOKEN\n' });
    const ids: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      const some = Array.from({ length: 4 }, () => overlay(root, { plan: SECRETS }));
      ids.push(...some.map(({ id }) => id));
      await Promise.all(some.map((session) => session.exec('rm a; mkdir -p d; echo x > d/x; chmod 000 d')));
      await Promise.all(some.map((session) => session.dispose()));
    }
    expect(await leftovers(engine)).toEqual([]);
    expect((await Promise.all(ids.map((id) => privateDirectories(id)))).flat()).toEqual([]);
  }, 120_000);

  it('of a host that is killed in a commit leave no part of a file, and nobody lists one', async () => {
    const root = await project({ a: 'a\n' });
    const parts = async () => (await readdir(root)).filter((name) => name.startsWith('.caisson-'));
    const host = startHost([root, 'truncate -s 400M large']);
    const ended = once(host, 'exit');
    const watched = overlay(root);
    await watched.start();
    await eventually('a part of the file is there', async () => (await parts()).length > 0);
    // Alive, however slow.
    host.kill('SIGSTOP');
    expect(await watched.fs.list('.')).toMatchObject([{ name: 'a' }]);
    expect(await parts()).toHaveLength(1);
    host.kill('SIGKILL');
    await ended;
    expect(await parts()).toHaveLength(1);
    expect(await kinds(watched)).toEqual([]);
    expect(await readdir(root)).toEqual(['a']);
  }, 60_000);

  it('of a killed host go when the next one starts: container, volume and directory', async () => {
    const root = await project({ a: 'a\n' });
    const host = startHost([root]);
    const [id = '', form] = await new Promise<string[]>((resolve) =>
      host.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim().split(' '))),
    );
    expect(form).toBe('volume');
    expect(await privateDirectories(id)).toHaveLength(1);
    host.kill('SIGKILL');
    await new Promise((resolve) => host.once('exit', resolve));
    await eventually('nothing of it is left', async () => {
      await reap(engine.docker);
      const { Volumes } = await engine.docker.listVolumes({ filters: JSON.stringify({ label: [`caisson=${id}`] }) });
      const containers = await engine.docker.listContainers({
        all: true,
        filters: JSON.stringify({ label: [`caisson=${id}`] }),
      });
      return (Volumes ?? []).length + containers.length + (await privateDirectories(id)).length === 0;
    });
  }, 60_000);

  it('of a label that names another directory are not followed there', async () => {
    const root = await project({ keep: 'keep\n' });
    await chmod(root, 0o700);
    const Name = 'caisson-forged';
    const Labels = { caisson: 'forged', 'caisson.expires': '1', 'caisson.overlay': root };
    await engine.docker.createVolume({ Name, Driver: 'local', Labels });
    try {
      await reap(engine.docker);
      expect(await readFile(join(root, 'keep'), 'utf8')).toBe('keep\n');
    } finally {
      await engine.docker.getVolume(Name).remove();
    }
  });

  const socket = engine.endpoint.host.replace(/^unix:\/\//, '');
  const user = { uid: WORKSPACE_UID, gid: statSync(socket, { throwIfNoEntry: false })?.gid ?? 0 };
  const canBeOther = process.getuid?.() === 0 && spawnSync(process.execPath, ['-e', ''], user).status === 0;
  it.runIf(canBeOther)(
    'work for a host that is not root, and leave nothing either',
    async () => {
      const root = await project({ a: 'a\n', '.env': 'x\n' });
      for (const path of ['', 'a', '.env']) await chown(join(root, path), user.uid, user.gid);
      const host = startHost([root, 'rm a; mkdir d; echo x > d/x'], user);
      let output = '';
      host.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
      await new Promise((resolve) => host.once('exit', resolve));
      const [first = '', second] = output.trim().split('\n');
      expect([first.split(' ')[1], second]).toEqual(['volume', '{"added":2,"modified":0,"deleted":1}']);
      expect((await readdir(root)).sort()).toEqual(['.env', 'd']);
      expect(await privateDirectories(first.split(' ', 1).join())).toEqual([]);
    },
    60_000,
  );
});

async function expectSamePatched(session: SandboxSession, root: string, look: string): Promise<void> {
  const patched = `${root}-patched`;
  await cp(root, patched, { recursive: true, verbatimSymlinks: true });
  try {
    const input = unifiedDiff(await session.changes());
    const applied = spawnSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: patched, input, encoding: 'utf8' });
    expect(applied.stderr).toBe('');
    await session.commit();
    const see = (cwd: string) =>
      execFileSync('bash', ['-c', `find . -type d -empty -delete; ${look}`], { cwd, encoding: 'utf8' });
    expect(see(patched)).toBe(see(root));
  } finally {
    await rm(patched, { recursive: true, force: true });
  }
}

/** Of one session, or of all that are not alive. */
async function privateDirectories(id: string): Promise<string[]> {
  const found = await Promise.all([tmpdir(), '/var/tmp'].map((place) => readdir(place)));
  return found.flat().filter((name) => name.startsWith(`caisson-overlay-${id}`));
}
