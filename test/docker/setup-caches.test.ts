import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import type { SandboxSession } from '../../src/sandbox/contract.js';
import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import { listCaches, reapSandboxes, removeCaches } from '../../src/sandbox/docker/index.js';
import type { DockerSandboxOptions } from '../../src/sandbox/docker/options.js';
import { describeOnDocker, leftovers } from './engine.js';
import { makeWorkspace } from './workspaces.js';

const CACHE = '/run/caisson-cache';

describeOnDocker('package caches of setup', (engine) => {
  const sessions: SandboxSession[] = [];
  const directories: string[] = [];

  afterEach(async () => {
    await Promise.all(sessions.splice(0).map((session) => session.dispose()));
  });
  afterAll(async () => {
    const own = (await listCaches()).filter(({ workspace }) => directories.includes(workspace));
    await Promise.all(own.map(({ volume }) => engine.docker.getVolume(volume).remove({ force: true })));
    await Promise.all(directories.map((directory) => rm(directory, { recursive: true, force: true })));
  });

  const workspaceOf = async (): Promise<string> => {
    const directory = await makeWorkspace();
    directories.push(directory);
    return directory;
  };
  const open = (options: DockerSandboxOptions): SandboxSession => {
    const session = createDockerSandbox({ workspaceMode: 'overlay', ...options });
    sessions.push(session);
    return session;
  };
  const run = async (session: SandboxSession, command: string) => {
    const { exitCode, stdout, stderr } = await session.exec(command, { timeoutMs: 60_000 });
    return { exitCode, output: `${stdout}${stderr}` };
  };

  it('npm: what the first session downloaded, the second installs with no network at all', async () => {
    const workspace = await workspaceOf();
    await writeFile(
      join(workspace, 'package.json'),
      JSON.stringify({ name: 'small', version: '1.0.0', dependencies: { 'is-number': '7.0.0' } }),
    );
    const first = open({
      workspace,
      caCertificates: 'host',
      setup: { command: 'npm install --no-audit && cp package-lock.json /tmp/', caches: ['npm'] },
    });
    expect(await run(first, 'node -p "require(\'is-number\')(1)"')).toEqual({ exitCode: 0, output: 'true\n' });
    await writeFile(join(workspace, 'package-lock.json'), (await first.fs.readFile('package-lock.json')) ?? '');
    const second = open({
      workspace,
      setup: { command: 'ls /sys/class/net > /tmp/nets; npm ci --offline', network: 'none', caches: ['npm'] },
    });
    expect(await run(second, 'cat /tmp/nets; node -p "require(\'is-number\')(1)"')).toEqual({
      exitCode: 0,
      output: 'lo\ntrue\n',
    });
    // Without the cache there is nothing to install from.
    const third = open({ workspace, setup: { command: 'npm ci --offline', network: 'none' } });
    await expect(third.start()).rejects.toThrow(/setup exited with 1/);
  }, 120_000);

  it('pip: what the first session built, the second installs with nothing to download it from', async () => {
    const workspace = await workspaceOf();
    const serve = [
      'mkdir -p /tmp/pure && cd /tmp/pure',
      'printf \'from setuptools import setup\\nsetup(name="pure-one", version="1.0", py_modules=["pure_one"])\\n\' > setup.py',
      "echo 'ANSWER = 42' > pure_one.py",
      'tar -czf /tmp/pure-one-1.0.tar.gz -C /tmp pure',
      'cd /tmp && { python3 -m http.server 8099 >/dev/null 2>&1 & }',
      'for attempt in $(seq 50); do curl -s -o /dev/null http://127.0.0.1:8099/ && break; sleep 0.1; done',
    ].join('\n');
    const install = "pip install --no-build-isolation 'pure-one @ http://127.0.0.1:8099/pure-one-1.0.tar.gz'";
    const ask = 'python -c "import pure_one; print(pure_one.ANSWER)"';
    const first = open({ workspace, setup: { command: `${serve}\n${install}`, network: 'none', caches: ['pip'] } });
    expect(await run(first, ask)).toEqual({ exitCode: 0, output: '42\n' });
    const second = open({ workspace, setup: { command: install, network: 'none', caches: ['pip'] } });
    expect(await run(second, ask)).toEqual({ exitCode: 0, output: '42\n' });
  }, 120_000);

  it('no later command reads or writes them, nor does anything that the setup left running', async () => {
    const workspace = await workspaceOf();
    const daemon = `cd ${CACHE}/npm && (setsid sh -c 'exec 9>held; while :; do echo poison > late 2>/dev/null; echo poison >&9; sleep 0.05; done' &)`;
    const first = open({
      workspace,
      setup: { command: `echo good > ${CACHE}/npm/kept; ${daemon}; sleep 0.2`, network: 'none', caches: ['npm'] },
    });
    const tried = await run(
      first,
      `cat ${CACHE}/npm/kept; echo poison > ${CACHE}/npm/kept; chmod 777 ${CACHE}; ls ${CACHE} ${CACHE}/npm; ps -eo args; env`,
    );
    expect(tried.output).not.toMatch(/^good|^kept|^held|exec 9>held/m);
    expect(tried.output).toMatch(/Permission denied/);
    expect(tried.output).not.toMatch(/NPM_CONFIG_CACHE/);
    await first.fs.writeFile('files-still-work', 'yes');
    expect(await run(first, 'cat files-still-work')).toEqual({ exitCode: 0, output: 'yes' });
    const second = open({
      workspace,
      setup: {
        command: `cat ${CACHE}/npm/kept > /tmp/kept; rm -f ${CACHE}/npm/late; sleep 0.3; ls ${CACHE}/npm > /tmp/listed`,
        network: 'none',
        caches: ['npm'],
      },
    });
    expect(await run(second, 'cat /tmp/kept /tmp/listed')).toEqual({ exitCode: 0, output: 'good\nheld\nkept\n' });
  }, 60_000);

  it('are not shared with another workspace', async () => {
    const put = open({
      workspace: await workspaceOf(),
      setup: { command: `echo mine > ${CACHE}/pip/x`, network: 'none', caches: ['pip'] },
    });
    await put.start();
    const other = open({
      workspace: await workspaceOf(),
      setup: { command: `ls -A ${CACHE}/pip > /tmp/seen`, network: 'none', caches: ['pip'] },
    });
    expect(await run(other, 'cat /tmp/seen')).toEqual({ exitCode: 0, output: '' });
  }, 60_000);

  it('outlive their sessions, are left alone by the reaper and go when asked, unless a session has them', async () => {
    const workspace = await workspaceOf();
    const session = open({ workspace, setup: { command: 'true', network: 'none', caches: ['npm', 'pip'] } });
    await session.start();
    const isOwn = (cache: { workspace: string }) => cache.workspace === workspace;
    const own = async () => (await listCaches()).filter(isOwn);
    expect((await own()).map(({ kind }) => kind).sort()).toEqual(['npm', 'pip']);
    expect(await removeCaches(isOwn)).toEqual([]);
    expect(await own()).toHaveLength(2);
    await session.dispose();
    await reapSandboxes();
    expect(await own()).toHaveLength(2);
    expect(await leftovers(engine)).toEqual([]);
    const removed = await removeCaches(isOwn);
    expect(removed).toEqual(expect.arrayContaining([expect.stringContaining('caisson-cache-npm-')]));
    expect(await own()).toEqual([]);
  }, 60_000);

  it('are refused where commands run as root', () => {
    expect(() => createDockerSandbox({ user: 'root', setup: { command: 'true', caches: ['npm'] } })).toThrow(
      /'setup.caches' cannot be kept from commands that run as root/,
    );
  });
});
