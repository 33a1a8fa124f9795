import { afterAll, describe, expect, it } from 'vitest';
import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import { type ContractBackend, describeSandboxContract } from '../contract/suite/index.js';
import { containerOf, describeOnDocker, leftovers } from './engine.js';
import { COPIED, giveAllToWorkspaceOwner, giveToWorkspaceOwner, makeWorkspace } from './workspaces.js';

describeOnDocker('Docker', (engine) => {
  const backend: Omit<ContractBackend, 'name' | 'create' | 'workspaceModes'> = {
    makeWorkspace,
    crash: async (session) => {
      await (await containerOf(engine, session.id)).kill();
    },
    leftovers: () => leftovers(engine),
  };

  const give = (workspace: string, mode: string | undefined) =>
    mode === 'overlay' ? giveAllToWorkspaceOwner(workspace) : giveToWorkspaceOwner(workspace);

  describeSandboxContract(
    { describe, it, expect, afterAll },
    {
      ...backend,
      name: 'docker',
      workspaceModes: ['memory', 'direct', 'overlay'],
      create: async (options = {}) => {
        // Checks make directories as whoever runs the tests; root's are refused, which has a test of its own.
        if (options.workspace !== undefined) await give(options.workspace, options.workspaceMode);
        if (options.workspaceMode !== 'overlay') return createDockerSandbox(options);
        return createDockerSandbox({ ...options, limits: { ...COPIED.limits, ...options.limits } });
      },
    },
  );

  describeSandboxContract(
    { describe, it, expect, afterAll },
    {
      ...backend,
      name: 'docker, with an overlay volume',
      workspaceModes: ['overlay'],
      create: async (options = {}) => {
        if (options.workspace !== undefined) await give(options.workspace, 'overlay');
        return createDockerSandbox(options);
      },
    },
  );
});
