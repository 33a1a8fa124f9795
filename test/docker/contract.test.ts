import { afterAll, describe, expect, it } from 'vitest';
import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import { describeSandboxContract } from '../contract/suite/index.js';
import { containerOf, describeOnDocker, leftovers } from './engine.js';
import { giveToWorkspaceOwner, makeWorkspace } from './workspaces.js';

describeOnDocker('Docker', (engine) => {
  describeSandboxContract(
    { describe, it, expect, afterAll },
    {
      name: 'docker',
      workspaceModes: ['memory', 'direct', 'overlay'],
      makeWorkspace,
      create: async (options = {}) => {
        // Checks make directories as whoever runs the tests; root's are refused, which has a test of its own.
        if (options.workspace !== undefined) await giveToWorkspaceOwner(options.workspace);
        return createDockerSandbox(options);
      },
      crash: async (session) => {
        await (await containerOf(engine, session.id)).kill();
      },
      leftovers: () => leftovers(engine),
    },
  );
});
