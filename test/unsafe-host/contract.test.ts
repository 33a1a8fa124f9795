import { execFileSync, spawnSync } from 'node:child_process';
import { afterAll, describe, expect, it } from 'vitest';
import { createUnsafeHostSandbox } from '../../src/sandbox/unsafe-host/create-unsafe-host-sandbox.js';
import type { UnsafeHostOptions } from '../../src/sandbox/unsafe-host/options.js';
import { describeSandboxContract } from '../contract/suite/index.js';
import { giveAllToWorkspaceOwner, giveToWorkspaceOwner, makeWorkspace } from '../docker/workspaces.js';

const ABLE = spawnSync('unshare', ['--mount', '--pid', '--fork', '--mount-proc', 'true']).status === 0;

if (!ABLE) {
  process.stdout.write('skipped: unsafe-host: this user cannot make mount and process namespaces\n');
  it.skip('unsafe-host (skipped: this user cannot make mount and process namespaces)', () => {});
} else {
  describeSandboxContract(
    { describe, it, expect, afterAll },
    {
      name: 'unsafe-host',
      workspaceModes: ['memory', 'direct', 'overlay'],
      // What is claimed of isolation elsewhere is claimed of nothing here.
      makeWorkspace,
      create: async (options = {}) => {
        // What a commit may write is what the workspace's owner may write.
        const give = options.workspaceMode === 'overlay' ? giveAllToWorkspaceOwner : giveToWorkspaceOwner;
        if (options.workspace !== undefined) await give(options.workspace);
        return createUnsafeHostSandbox({ ...options, iKnowThatNothingIsIsolated: true } as UnsafeHostOptions);
      },
      leftovers: async () => {
        const running = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' });
        return running.split('\n').filter((line) => line.includes('unshare --mount') && line.includes('agent'));
      },
    },
  );

  it('says in its name and to the model that nothing is isolated', () => {
    const session = createUnsafeHostSandbox({ iKnowThatNothingIsIsolated: true });
    expect(session.name).toBe('unsafe-host');
    expect(session.description).toMatch(/^NOTHING IS ISOLATED/);
    expect(session.capabilities.isolation).toBe('none');
  });

  it('is not made without being told so, nor with a limit that it cannot hold', () => {
    expect(() => createUnsafeHostSandbox({} as UnsafeHostOptions)).toThrow(/iKnowThatNothingIsIsolated/);
    const limits = { memoryBytes: 1e9 } as UnsafeHostOptions['limits'];
    expect(() => createUnsafeHostSandbox({ iKnowThatNothingIsIsolated: true, ...(limits && { limits }) })).toThrow(
      /limits/,
    );
  });
}
