import { expect, it } from 'vitest';
import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import { describeOnDocker, leftovers } from './engine.js';
import { ignoringEngine } from './ignoring-engine.js';

describeOnDocker('an engine that ignores what it is asked for', (engine) => {
  const socket = engine.endpoint.host.replace(/^unix:\/\//, '');

  it('works where it ignores nothing that matters', async () => {
    await using proxy = await ignoringEngine(socket, 'NoSuchField');
    await using session = createDockerSandbox({ engine: proxy.host });
    expect((await session.exec('echo hi')).stdout).toBe('hi\n');
  });

  it.each([
    ['NetworkMode', 'network'],
    ['CapDrop', 'dropped capabilities'],
    ['CapAdd', 'capabilities'],
    ['SecurityOpt', 'no-new-privileges'],
    ['ReadonlyRootfs', 'read-only root'],
    ['PidsLimit', 'process limit'],
    ['MemorySwap', 'swap limit'],
    ['Ulimits', 'file limits'],
    ['IpcMode', 'IPC namespace'],
    ['LogConfig', 'log driver'],
    ['Tmpfs', 'file systems in memory'],
    ['Init', 'init'],
    ['AutoRemove', 'removal at its end'],
  ])('is refused by name for %s, and nothing is left on it', async (field, name) => {
    await using proxy = await ignoringEngine(socket, field);
    const session = createDockerSandbox({ engine: proxy.host });
    const error = await session.start().then(
      () => undefined,
      (caught: Error & { code: string }) => caught,
    );
    await session.dispose();
    expect(error?.code).toBe('unsupported');
    expect(/did not apply what was asked for \((.*)\)/.exec(error?.message ?? '')?.[1]?.split(', ')).toContain(name);
    expect(await leftovers(engine)).toEqual([]);
  });
});
