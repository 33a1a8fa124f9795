import { rm, writeFile } from 'node:fs/promises';
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
