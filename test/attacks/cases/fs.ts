import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { DirectoryEntry, SandboxSession, WorkspaceMode } from '../../../src/sandbox/contract.js';
import type { Attack, Attacks } from '../attack.js';
import { call, errorOf, outputOf, shell } from '../call.js';
import { expectAnswers, textOf } from '../evaluate.js';
import { watchHost } from '../host-watch.js';
import { workersOf } from '../processes.js';
import type { Project, Stage } from '../stage.js';

const ON_DISK: WorkspaceMode[] = ['direct', 'overlay'];
const REFUSED = /^(path_escape|access_denied|not_found)$/;

export const fs: Attacks = {
  'FS-001': staysInside([
    '../../etc/passwd',
    'a/../../../etc/passwd',
    '/workspace/../etc/passwd',
    '../outside/secret.txt',
    './../outside/secret.txt',
    'a/b/../../../outside/secret.txt',
  ]),
  'FS-002': staysInside(['/etc/passwd', '//etc/passwd', '/./etc/passwd']),
  'FS-003': staysInside(['/workspace-evil/x', '/workspace2/x', '/workspace/../workspace2/x', '/workspacex']),
  'FS-004': staysInside(['l', 'd/shadow'], (project) => {
    symlinkSync('/etc/shadow', project.at('l'));
    symlinkSync('/etc', project.at('d'));
  }),
  'FS-005': staysInside(['rel', 'up/secret.txt', 'chain1', 'loop'], (project) => {
    symlinkSync('../outside/secret.txt', project.at('rel'));
    symlinkSync('../outside', project.at('up'));
    symlinkSync('chain2', project.at('chain1'));
    symlinkSync('./up/../up/secret.txt', project.at('chain2'));
    symlinkSync('loop', project.at('loop'));
  }),

  'FS-006': async (stage) => {
    for (const mode of ON_DISK) {
      const project = stage.project();
      symlinkSync(`${project.outside}/CREATED`, project.at('dang'));
      symlinkSync('../outside/CREATED-TOO', project.at('rel'));
      symlinkSync('../outside', project.at('dir'));
      symlinkSync('/etc/CREATED', project.at('etc'));
      const session = stage.sandbox({ workspace: project.root, workspaceMode: mode });
      const host = stage.host({ sandbox: session });
      for (const path of ['rel', 'dir/CREATED', 'dir/deep/CREATED', 'etc']) {
        expect((await errorOf(host, 'write_file', { path, content: 'x' })).code, path).toMatch(REFUSED);
        await shell(
          host,
          `echo x > ${path}; echo x >> ${path}; cp /etc/hostname ${path}; mkdir -p ${path}.d; touch ${path}`,
        );
      }
      await shell(host, `ln -s ${project.outside}/MINE mine; echo x > mine; ln -sf ../outside up; echo x > up/MINE`);
      if (mode === 'overlay') await session.commit().catch(() => undefined);
      expect(readdirSync(project.outside)).toEqual(['secret.txt']);
      expect(existsSync('/etc/CREATED')).toBe(false);
    }
  },

  'FS-012': async (stage) => {
    const { project, sessions } = onDisk(stage, { 'a.txt': 'needle' });
    execFileSync('mkfifo', [project.at('ff'), project.at('gg')]);
    for (const session of sessions) {
      const host = stage.host({ sandbox: session });
      const { result, elapsedMs } = await watchHost(() =>
        Promise.all(['ff', 'gg', 'ff', 'gg', 'ff'].map((path) => errorOf(host, 'read_file', { path }))),
      );
      for (const error of result) expect(error.code).toBe('not_regular_file');
      expect(elapsedMs).toBeLessThan(5_000);
      expect((await errorOf(host, 'write_file', { path: 'ff', content: 'x' })).code).toBe('not_regular_file');
      expect(JSON.stringify(await outputOf(host, 'grep', { pattern: 'needle' }))).toContain('a.txt');
      const listed = await outputOf<{ entries: DirectoryEntry[] }>(host, 'list_dir', {});
      expect(listed.entries.find((entry) => entry.name === 'ff')?.type).toBe('other');
      expect(
        await session.exec('cat ff; grep -r needle .; echo x > gg; find . -type f', { timeoutMs: 5_000 }),
      ).not.toHaveProperty('cause', 'timeout');
      await expectAnswers(session);
    }
  },

  'FS-013': async (stage) => {
    const { project, sessions } = onDisk(stage);
    const server = createServer().listen(project.at('sock'));
    stage.defer(() => new Promise((closed) => server.close(closed)));
    symlinkSync('/dev/zero', project.at('zero'));
    await sleep(20);
    for (const session of sessions) {
      const host = stage.host({ sandbox: session });
      for (const path of ['/dev/zero', '/dev/stdin', '/dev/random', '/proc/kmsg', '/dev/fd/0', 'zero']) {
        expect((await errorOf(host, 'read_file', { path })).code, path).toMatch(
          /^(path_escape|not_regular_file|not_found)$/,
        );
      }
      expect((await errorOf(host, 'read_file', { path: 'sock' })).code).toBe('not_regular_file');
      expect((await errorOf(host, 'write_file', { path: 'sock', content: 'x' })).code).toBe('not_regular_file');
      const { elapsedMs } = await watchHost(() =>
        session.exec('head -c 10 zero; cat sock; cat /dev/stdin; cat /proc/kmsg', { timeoutMs: 5_000 }),
      );
      expect(elapsedMs).toBeLessThan(5_000);
      await expectAnswers(session);
    }
  },

  'FS-014': async (stage) => {
    process.env.CAISSON_ATTACK_SECRET = 'in-the-host-environment';
    stage.defer(() => delete process.env.CAISSON_ATTACK_SECRET);
    const { project, sessions } = onDisk(stage, { x: 'x' });
    const passwd = readFileSync('/etc/passwd', 'utf8');
    const paths = [
      '/proc/self/environ',
      '/proc/self/fd/3',
      '/proc/1/root/etc/passwd',
      '/proc/self/cwd/x',
      '/proc/self/root/etc/passwd',
      `/proc/${process.pid}/environ`,
      `/proc/${process.pid}/root${project.root}/x`,
    ];
    for (const session of sessions) {
      const host = stage.host({ sandbox: session });
      for (const path of paths) {
        expect((await errorOf(host, 'read_file', { path })).code, path).toMatch(REFUSED);
        const { stdout } = await shell(host, `cat ${path}; cat < ${path}; ln -s ${path} l && cat l; rm -f l`);
        expect(stdout, path).not.toContain('in-the-host-environment');
        expect(stdout, path).not.toContain(passwd.slice(0, 200));
      }
    }
  },

  'FS-015': async (stage) => {
    for (const mode of ON_DISK) {
      const project = stage.project({ '.env': 'TOKEN=deny-me\n' });
      writeFileSync(`${project.outside}/shared`, 'original');
      for (const name of ['hard', 'hard2', 'hard3']) linkSync(`${project.outside}/shared`, project.at(name));
      const session = stage.sandbox({
        workspace: project.root,
        workspaceMode: mode,
        plan: { denyRead: [rule('**/.env')], denyWrite: [] },
      });
      const host = stage.host({ sandbox: session });
      await outputOf(host, 'write_file', { path: 'hard', content: 'changed' });
      await outputOf(host, 'edit_file', { path: 'hard2', old_string: 'original', new_string: 'changed' });
      await shell(host, 'echo appended >> hard3; echo more | tee -a hard3; sed -i s/original/changed/ hard3');
      if (mode === 'overlay') await session.commit();
      expect(readFileSync(`${project.outside}/shared`, 'utf8')).toBe('original');
      expect(readFileSync(project.at('hard'), 'utf8')).toBe('changed');
      const links =
        'ln .env copy; ln -s .env soft; cp .env copied; mv .env moved; cat copy soft copied moved .env; ln -P .env p; cat p; tar cf - .env';
      expect(JSON.stringify(await shell(host, links))).not.toContain('deny-me');
    }
  },

  'FS-016': async (stage) => {
    const project = stage.project({ tool: '#!/bin/sh\nid\n' });
    const session = stage.sandbox({ workspace: project.root });
    const host = stage.host({ sandbox: session });
    await shell(
      host,
      'cp tool suid; chmod 4755 suid; chmod u+s tool; chmod 2777 tool; install -m 6755 tool other; mkdir d; chmod 1777 d; chmod g+s d',
    );
    for (const mode of [0o4755, 0o6777, 0o7777])
      await session.fs.writeFile('made', 'x', { mode }).catch(() => undefined);
    for (const name of readdirSync(project.root)) {
      expect(lstatSync(project.at(name)).mode & 0o6000, name).toBe(0);
    }
  },

  'FS-017': async (stage) => {
    const { project, sessions } = onDisk(stage);
    const made = tryMknod(project.at('b'), 'b', '254', '0') && tryMknod(project.at('c'), 'c', '1', '5');
    if (!made) symlinkSync('/dev/zero', project.at('c'));
    for (const session of sessions) {
      const host = stage.host({ sandbox: session });
      for (const path of made ? ['b', 'c'] : ['c']) {
        expect((await errorOf(host, 'read_file', { path })).code, path).toMatch(
          /^(not_regular_file|path_escape|not_found)$/,
        );
      }
      const output = await shell(host, 'head -c 4 c | od -c; mknod made b 254 0; mkfifo made2; ls made made2');
      expect(output.stdout).not.toContain('made');
      if (session.capabilities.workspaceMode === 'direct') expect(readdirSync(project.root)).not.toContain('made');
    }
  },

  'FS-018': async (stage) => {
    const session = stage.sandbox();
    const files = session.fs;
    const attempts = [
      () => files.readFile('a\0b.txt'),
      () => files.writeFile('a\0b.txt', 'x'),
      () => files.stat('\0'),
      () => files.list('/workspace\0/etc'),
      () => files.mkdir('d\0'),
      () => files.remove('a\0'),
      () => files.rename('a', 'b\0'),
      () => files.glob('*', { cwd: 'a\0' }),
      () => files.grep('x', { path: 'a\0' }),
      () => session.exec('echo a\0b'),
    ];
    for (const attempt of attempts)
      await expect(attempt(), String(attempt)).rejects.toMatchObject({ code: 'invalid_input' });
    const host = stage.host({ sandbox: session });
    for (const tool of ['read_file', 'list_dir']) {
      const outcome = await call(host, tool, { path: 'a\0b.txt' });
      expect(JSON.stringify(outcome), tool).toMatch(/invalid_input|"kind":"validation"/);
    }
    await expectAnswers(session);
  },

  'FS-020': async (stage) => {
    const names = [
      'new\nline',
      'tab\tname',
      ' leading',
      'trailing ',
      '-rf',
      '--files',
      'dot.',
      '...',
      '🦀',
      'rtl\u202egnp.exe',
      "quo'te",
      '$(id)',
      'back\\slash',
      '*',
    ];
    for (const session of onDisk(stage).sessions) {
      const host = stage.host({ sandbox: session });
      for (const name of names) await outputOf(host, 'write_file', { path: `odd/${name}`, content: name });
      const listed = await outputOf<{ entries: DirectoryEntry[] }>(host, 'list_dir', { path: 'odd' });
      expect(listed.entries.map((entry) => entry.name).sort()).toEqual([...names].sort());
      for (const name of names) expect(textOf(await session.fs.readFile(`odd/${name}`)), name).toBe(name);
      const found = await session.exec('cd odd && find . -type f -print0');
      expect(found.stdout.split('\0').filter(Boolean).sort()).toEqual(names.map((name) => `./${name}`).sort());
      expect((await session.fs.glob('odd/*')).paths.sort()).toEqual(names.map((name) => `odd/${name}`).sort());
      await session.fs.remove('odd/-rf');
      expect((await session.fs.list('odd'))?.length).toBe(names.length - 1);
    }
  },

  'FS-024': async (stage) => {
    const host = stage.host();
    const replacement = "$& $1 $` $' $$ \\1 %s";
    await outputOf(host, 'write_file', { path: 'f.txt', content: 'a x b' });
    await outputOf(host, 'edit_file', { path: 'f.txt', old_string: 'x', new_string: replacement });
    expect((await shell(host, 'cat f.txt')).stdout).toBe(`a ${replacement} b`);
    await outputOf(host, 'edit_file', { path: 'f.txt', old_string: replacement, new_string: '.*', replace_all: true });
    expect((await shell(host, 'cat f.txt')).stdout).toBe('a .* b');
  },

  'FS-025': async (stage) => {
    const host = stage.host();
    const content = 'aaa one one two';
    await outputOf(host, 'write_file', { path: 'f.txt', content });
    const attempts: [string, RegExp][] = [
      ['absent', /^edit_not_found$/],
      ['one', /^edit_not_unique$/],
      ['aa', /^edit_not_unique$/],
      ['', /^(invalid_input|edit_not_found|edit_not_unique)$|^validation$/],
    ];
    for (const [oldString, expected] of attempts) {
      const error = await errorOf(host, 'edit_file', { path: 'f.txt', old_string: oldString, new_string: 'new' });
      expect(error.code ?? error.kind, oldString).toMatch(expected);
      expect(error.message.length, oldString).toBeGreaterThan(10);
    }
    expect((await shell(host, 'cat f.txt')).stdout).toBe(content);
  },

  'FS-026': async (stage) => {
    for (const session of onDisk(stage).sessions) {
      const host = stage.host({ sandbox: session });
      const other = stage.host({ sandbox: session });
      const lines = Array.from({ length: 100 }, (_, index) => `line-${index}-old;`);
      await session.fs.writeFile('f.txt', lines.join('\n'));
      const edits = lines.map((line, index) =>
        call(index % 2 === 0 ? host : other, 'edit_file', {
          path: 'f.txt',
          old_string: line,
          new_string: `line-${index}-new;`,
        }),
      );
      const outcomes = await Promise.all(edits);
      const text = textOf(await session.fs.readFile('f.txt')).split('\n');
      expect(text).toHaveLength(100);
      for (const [index, outcome] of outcomes.entries()) {
        expect(text[index]).toBe(`line-${index}-${outcome.status === 'ok' ? 'new' : 'old'};`);
      }
      expect(outcomes.some((outcome) => outcome.status === 'ok')).toBe(true);
    }
  },

  'FS-027': async (stage) => {
    const [before, after] = [Buffer.alloc(50e6, 'a'), Buffer.alloc(50e6, 'b')];
    for (const mode of ON_DISK) {
      const project = stage.project();
      const session = stage.sandbox({
        workspace: project.root,
        workspaceMode: mode,
        limits: { memoryBytes: 1024 * 1024 * 1024 },
      });
      await session.fs.writeFile('big', before);
      await Promise.allSettled(
        [5, 15, 40].map(async (delay) => {
          const abort = new AbortController();
          const writing = session.fs.writeFile('big', after, { signal: abort.signal });
          await sleep(delay);
          abort.abort();
          await writing;
        }),
      );
      await expectWhole(session, before, after);
      for (const delay of [5, 20, 50]) {
        const writing = session.fs.writeFile('big', delay === 20 ? before : after).catch(() => undefined);
        await sleep(delay);
        for (const pid of workersOf(session)) process.kill(pid, 'SIGKILL');
        await writing;
        await expectWhole(session, before, after);
      }
      expect((await session.fs.list('.'))?.map((entry) => entry.name)).toEqual(['big']);
    }
  },

  'FS-028': async (stage) => {
    const { project, sessions } = onDisk(stage, { 'grow.txt': 'x'.repeat(1000), 'shrink.txt': 'y'.repeat(5e6) });
    let running = true;
    const change = async () => {
      while (running) {
        appendFileSync(project.at('grow.txt'), 'x'.repeat(1e5));
        truncateSync(project.at('shrink.txt'), Math.floor(Math.random() * 5e6));
        await sleep(1);
      }
    };
    const changing = change();
    stage.defer(() => (running = false));
    const cap = 2_000_000;
    for (const session of sessions) {
      for (let i = 0; i < 30; i += 1) {
        const [grown, shrunk] = await Promise.allSettled(
          ['grow.txt', 'shrink.txt'].map((path) => session.fs.readFile(path, { maxBytes: cap })),
        );
        for (const read of [grown, shrunk]) {
          if (read?.status === 'fulfilled') expect(read.value?.length).toBeLessThanOrEqual(cap);
          else expect(read?.reason).toMatchObject({ code: expect.stringMatching(/^(file_too_large|stale_file)$/) });
        }
      }
      await expectAnswers(session);
    }
    running = false;
    await changing;
  },

  'FS-031': async (stage) => {
    const session = stage.sandbox();
    await session.exec(
      'd=a; for i in 1 2 3 4 5 6 7 8; do d=$d/a; done; mkdir -p $d; touch $d/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab; touch x',
    );
    const host = stage.host({ sandbox: session });
    const patterns = [
      '**/**/**/**/**/x',
      `${'**/'.repeat(40)}y`,
      '{a,b}{c,d}'.repeat(20),
      `{${'a,'.repeat(5_000)}a}`,
      '{'.repeat(500),
      '[',
      '!(a|b)',
      `${'*a'.repeat(40)}c`,
      `${'+(a|aa)'.repeat(20)}c`,
      '[a-'.repeat(1_000),
    ];
    for (const pattern of patterns) {
      const { result, elapsedMs } = await watchHost(() => call(host, 'glob', { pattern }));
      expect(elapsedMs, pattern.slice(0, 60)).toBeLessThan(8_000);
      if (result.status === 'error')
        expect(result.error.code ?? result.error.kind, pattern.slice(0, 60)).toMatch(
          /^(bad_pattern|timeout|validation|invalid_input)$/,
        );
    }
    expect(await outputOf(host, 'glob', { pattern: '**/**/**/**/**/x' })).toMatchObject({ paths: ['x'] });
    await expectAnswers(session);
  },
};

const rule = (glob: string) => ({ glob, rule: `read_file(${glob})` });

function onDisk(stage: Stage, files: Record<string, string> = {}): { project: Project; sessions: SandboxSession[] } {
  const project = stage.project(files);
  const sessions = ON_DISK.map((workspaceMode) => stage.sandbox({ workspace: project.root, workspaceMode }));
  return { project, sessions };
}

/** Every way to read these paths is refused, and nothing of the host is told. */
function staysInside(paths: string[], prepare: (project: Project) => void = () => {}): Attack {
  return async (stage) => {
    for (const workspaceMode of ON_DISK) {
      const project = stage.project({ 'a/b/c.txt': 'inside' });
      prepare(project);
      for (const sibling of ['-evil', '2', 'x']) {
        mkdirSync(`${project.root}${sibling}`);
        writeFileSync(`${project.root}${sibling}/x`, project.secret);
      }
      const session = stage.sandbox({ workspace: project.root, workspaceMode });
      const host = stage.host({ sandbox: session });
      for (const path of paths) await expectRefused({ host, session, project }, path);
    }
  };
}

async function expectRefused(
  place: { host: ReturnType<Stage['host']>; session: SandboxSession; project: Project },
  path: string,
): Promise<void> {
  const { host, session, project } = place;
  const hostsOwn = [project.secret, readFileSync('/etc/passwd', 'utf8').slice(0, 100), project.root];
  const error = await errorOf(host, 'read_file', { path });
  expect(error.code, path).toMatch(/^(path_escape|not_found|not_regular_file|access_denied)$/);
  const told = [
    error,
    await call(host, 'list_dir', { path }),
    await call(host, 'grep', { pattern: '.', path }),
    await call(host, 'glob', { pattern: '**/*', path }),
    await call(host, 'write_file', { path, content: 'overwritten' }),
    await call(host, 'edit_file', { path, old_string: 'secret', new_string: 'x' }),
    await call(host, 'shell', {
      command: `cat '${path}'; head -c 100 < '${path}'; grep -r . '${path}'; ls -la '${path}'; cp '${path}' stolen; cat stolen; rm -f stolen`,
    }),
    await session.fs.readFile(path).catch((thrown: Error) => thrown.message),
    await session.fs.rename(path, 'stolen').catch((thrown: Error) => thrown.message),
    await session.fs.remove(path, { recursive: true }).catch((thrown: Error) => thrown.message),
  ];
  const text = JSON.stringify(told);
  for (const fact of hostsOwn)
    expect(text.includes(JSON.stringify(fact).slice(1, -1)), `${path} told of the host: ${text}`).toBe(false);
  expect(readFileSync(`${project.outside}/secret.txt`, 'utf8')).toBe(project.secret);
}

function tryMknod(...args: string[]): boolean {
  try {
    execFileSync('mknod', args, { stdio: 'ignore' });
    chmodSync(args[0] as string, 0o666);
    return true;
  } catch {
    return false;
  }
}

async function expectWhole(session: SandboxSession, ...whole: Buffer[]): Promise<void> {
  const read = await session.fs.readFile('big');
  expect(
    read !== null && whole.some((content) => content.equals(read)),
    `big is neither old nor new: ${read?.length} bytes`,
  ).toBe(true);
}
