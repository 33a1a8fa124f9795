import { afterAll, describe, expect, it } from 'vitest';
import { createDockerSandbox } from '../../../src/sandbox/docker/create-docker-sandbox.js';
import { describeSandboxContract } from '../../contract/suite/index.js';
import { containerOf, leftovers } from '../engine.js';
import { giveToWorkspaceOwner, makeWorkspace } from '../workspaces.js';
import { describeWithBusybox, makeBusybox, removeImages } from './images.js';

const IMAGE = 'caisson-test:busybox-contract';

describeWithBusybox('Docker, by processes of the engine in an image of busybox alone', (engine) => {
  afterAll(() => removeImages(engine, IMAGE));

  describeSandboxContract(
    { describe, it, expect, afterAll },
    {
      name: 'docker-exec',
      workspaceModes: ['memory', 'direct'],
      makeWorkspace,
      create: async (options = {}) => {
        if (options.workspace !== undefined) await giveToWorkspaceOwner(options.workspace);
        return createDockerSandbox({ ...options, image: await makeBusybox(engine, IMAGE), transport: 'exec' });
      },
      // There is no bash to fill.
      memoryHog: 'x=0123456789; while :; do x=$x$x; done',
      crash: async (session) => {
        await (await containerOf(engine, session.id)).kill();
      },
      leftovers: () => leftovers(engine),
    },
  );
});
