import { readFile } from 'node:fs/promises';
import { delimiter } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import { describeOnDocker } from './engine.js';
import { fakeSsh } from './fake-ssh.js';

describeOnDocker('an engine behind ssh', (engine) => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it.runIf(engine.endpoint.host.startsWith('unix://'))('runs a session through the machine’s own ssh', async () => {
    await using ssh = await fakeSsh(engine.endpoint.host.slice('unix://'.length));
    vi.stubEnv('PATH', `${ssh.directory}${delimiter}${process.env.PATH}`);
    await using session = createDockerSandbox({ engine: 'ssh://me@far:2222' });
    expect((await session.exec('cat', { stdin: 'there and back' })).stdout).toBe('there and back');
    await session.fs.writeFile('large', new Uint8Array(3_000_000).fill(7));
    expect((await session.fs.readFile('large'))?.length).toBe(3_000_000);
    expect(await readFile(ssh.log, 'utf8')).toContain('-l me -p 2222 -- far docker system dial-stdio\n');
  });
});
