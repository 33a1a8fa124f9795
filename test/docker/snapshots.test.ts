import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import { codeOf } from './attacks/attack.js';
import { describeOnDocker } from './engine.js';
import { giveAllToWorkspaceOwner, makeWorkspace } from './workspaces.js';

describeOnDocker('snapshots', () => {
  it('bring back contents, modes, links and what was removed, and take away what came later', async () => {
    await using session = createDockerSandbox();
    await session.exec('mkdir -p a/b; echo one > a/b/f; chmod 750 a/b/f; ln -s b/f a/link; echo two > g');
    const before = await session.exec('find . -printf "%p %M %l\\n" | sort; cat a/b/f a/link g');
    const id = await session.snapshot?.();
    await session.exec('rm -r a; echo changed > g; mkdir later; echo x > later/y; ln -s / a');
    if (id !== undefined) await session.restore?.(id);
    const after = await session.exec('find . -printf "%p %M %l\\n" | sort; cat a/b/f a/link g');
    expect(after.stdout).toBe(before.stdout);
  });

  it.each(['agent', 'exec'] as const)(
    'bring back all below directories that a command closed to their owner (%s)',
    async (transport) => {
      await using session = createDockerSandbox({ transport });
      await session.exec('mkdir d k; echo a > d/f; echo b > k/f; chmod 555 k');
      const id = await session.snapshot?.();
      await session.exec('chmod 755 k; echo changed > k/f; rm -r d; mkdir d; echo x > d/later; chmod 100 d');
      await session.exec('mkdir -p e/e/e; echo y > e/e/e/f; chmod 100 e/e/e; chmod 555 e/e e; chmod 555 k');
      if (id !== undefined) await session.restore?.(id);
      const after = await session.exec('find . -mindepth 1 -printf "%p %m\\n" | sort; cat d/f k/f');
      expect(after.stdout).toBe('./d 755\n./d/f 644\n./k 555\n./k/f 644\na\nb\n');
    },
  );

  it('and discard() reach into directories that the workspace itself closes to their owner', async () => {
    const root = await makeWorkspace();
    try {
      await mkdir(join(root, 'shut'));
      await writeFile(join(root, 'shut/f'), 'origin\n');
      await giveAllToWorkspaceOwner(root);
      await chmod(join(root, 'shut'), 0o555);
      for (const limits of [{}, { maxDiskBytes: 64 * 1024 * 1024 }]) {
        await using session = createDockerSandbox({ workspace: root, workspaceMode: 'overlay', limits });
        await session.exec('chmod 755 shut; echo changed > shut/f; echo x > shut/later; chmod 555 shut');
        expect((await session.changes()).map(({ path }) => path)).toEqual(['shut/f', 'shut/later']);
        await session.discard();
        expect(await session.changes()).toEqual([]);
        expect((await session.exec('stat -c %a shut; cat shut/*')).stdout).toBe('555\norigin\n');
      }
    } finally {
      await chmod(join(root, 'shut'), 0o755);
      await rm(root, { recursive: true, force: true });
    }
  });

  it('can be taken while a command makes and removes files', async () => {
    await using session = createDockerSandbox();
    const churn = 'i=0; while :; do i=$((i+1)); d=d$((i%50)); mkdir $d; : > $d/f; rm -r d$(((i+7)%50)); done';
    const aborter = new AbortController();
    const running = session.exec(`(${churn}) 2>/dev/null`, { signal: aborter.signal });
    for (let round = 0; round < 30; round += 1) await session.changes();
    aborter.abort();
    expect((await running).cause).toBe('aborted');
  });

  it('of an overlay leave no change where there was none', async () => {
    const root = await makeWorkspace();
    try {
      await writeFile(join(root, 'f'), 'origin\n');
      await giveAllToWorkspaceOwner(root);
      await using session = createDockerSandbox({ workspace: root, workspaceMode: 'overlay' });
      const id = await session.snapshot?.();
      await session.exec('echo changed > f; echo x > g');
      expect((await session.changes()).map(({ path }) => path)).toEqual(['f', 'g']);
      if (id !== undefined) await session.restore?.(id);
      expect(await session.changes()).toEqual([]);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });

  it('are unsupported in direct mode, and unknown ones are not_found', async () => {
    const root = await makeWorkspace();
    try {
      await using direct = createDockerSandbox({ workspace: root });
      expect(await codeOf(direct.snapshot?.() ?? Promise.resolve())).toBe('unsupported');
      await using memory = createDockerSandbox();
      expect(await codeOf(memory.restore?.({ id: 'none' }) ?? Promise.resolve())).toBe('not_found');
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });
});
