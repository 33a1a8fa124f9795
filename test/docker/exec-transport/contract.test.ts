import { afterAll, describe, expect, it } from 'vitest';
import { createDockerSandbox } from '../../../src/sandbox/docker/create-docker-sandbox.js';
import { describeSandboxContract } from '../../contract/suite/index.js';
import { containerOf, leftovers } from '../engine.js';
import { COPIED, giveAllToWorkspaceOwner, giveToWorkspaceOwner, makeWorkspace } from '../workspaces.js';
import { describeWithBusybox, makeBusybox, removeImages } from './images.js';

const IMAGE = 'caisson-test:busybox-contract';

describeWithBusybox('Docker, by processes of the engine in an image of busybox alone', (engine) => {
  afterAll(() => removeImages(engine, IMAGE));

  describeSandboxContract(
    { describe, it, expect, afterAll },
    {
      name: 'docker-exec',
      workspaceModes: ['memory', 'direct', 'overlay'],
      makeWorkspace,
      create: async (options = {}) => {
        const image = await makeBusybox(engine, IMAGE);
        const { workspace, workspaceMode } = options;
        if (workspaceMode !== 'overlay') {
          if (workspace !== undefined) await giveToWorkspaceOwner(workspace);
          return createDockerSandbox({ ...options, image, transport: 'exec' });
        }
        if (workspace !== undefined) await giveAllToWorkspaceOwner(workspace);
        // A copy: an overlay volume works as `direct` does, but for what `commit()` and `changes()` do on the host.
        const limits = { ...COPIED.limits, ...options.limits };
        return createDockerSandbox({ ...options, limits, image, transport: 'exec' });
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
