import { afterAll, expect } from 'vitest';
import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import { containerOf, describeOnDocker, leftovers } from './engine.js';
import { itHoldsTheProbes } from './probes.js';

const MiB = 1024 * 1024;

describeOnDocker('the probes that peers failed, in a container', (engine) => {
  afterAll(async () => expect(await leftovers(engine)).toEqual([]));

  itHoldsTheProbes({
    create: () => createDockerSandbox(),
    crash: async (session) => {
      await (await containerOf(engine, session.id)).remove({ force: true });
    },
    limits: async () => {
      const limits = { memoryBytes: 256 * MiB, maxProcesses: 64 };
      await using session = createDockerSandbox({ limits });
      const fill = await session.exec('python3 -c "x = bytearray(400 * 1024 * 1024)"');
      expect([fill.exitCode === 0, fill.cause]).toEqual([false, 'oom']);
      const fork = await session.exec('for i in $(seq 100); do sleep 2 & done; wait', { timeoutMs: 20_000 });
      expect([fork.exitCode === 0, fork.cause]).toEqual([false, 'pids_exhausted']);
      const { HostConfig } = await (await containerOf(engine, session.id)).inspect();
      expect([HostConfig.Memory, HostConfig.PidsLimit]).toEqual([limits.memoryBytes, limits.maxProcesses]);
    },
  });
});
