import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { DirectoryEntry } from '../../../src/sandbox/contract.js';
import type { Attacks } from '../attack.js';
import { call, errorOf, outputOf, shell } from '../call.js';
import { expectAnswers } from '../evaluate.js';
import { watchHost } from '../host-watch.js';
import { ON_DISK, onDisk } from '../on-disk.js';

export const fsKinds: Attacks = {
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

  'FS-015': async (stage) => {
    for (const mode of ON_DISK) {
      const project = stage.project({ '.env': 'TOKEN=deny-me\n' });
      writeFileSync(`${project.outside}/shared`, 'original');
      for (const name of ['hard', 'hard2', 'hard3']) linkSync(`${project.outside}/shared`, project.at(name));
      // A second name that was there before the rule was: found at start, whatever it is called.
      linkSync(project.at('.env'), project.at('earlier'));
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
      expect(JSON.stringify(await session.exec(links))).not.toContain('deny-me');
      expect(JSON.stringify(await call(host, 'read_file', { path: '.env' }))).not.toContain('deny-me');
      expect((await errorOf(host, 'read_file', { path: 'earlier' })).code).toBe('access_denied');
      expect(JSON.stringify(await session.exec('cat earlier; cp earlier e; cat e; grep -r deny .'))).not.toContain(
        'deny-me',
      );
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
};

const rule = (glob: string) => ({ glob, rule: `read_file(${glob})` });

function tryMknod(...args: string[]): boolean {
  try {
    execFileSync('mknod', args, { stdio: 'ignore' });
    chmodSync(args[0] as string, 0o666);
    return true;
  } catch {
    return false;
  }
}
