import { delimiter } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clientOptions } from '../../../src/sandbox/docker/engine/client-options.js';
import { connectEngine } from '../../../src/sandbox/docker/engine/engine.js';
import { sshArguments } from '../../../src/sandbox/docker/engine/ssh-agent.js';
import { fakeSsh } from '../../docker/fake-ssh.js';
import { fakeEngine, withoutImages } from './fake-engine.js';

const optionsOf = (host: string) => clientOptions({ host, from: 'a test' });

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('clientOptions()', () => {
  it('reads sockets, hosts and ports', () => {
    expect(optionsOf('unix:///run/a.sock')).toMatchObject({ protocol: 'http', socketPath: '/run/a.sock' });
    expect(optionsOf('tcp://far')).toMatchObject({ protocol: 'http', host: 'far', port: 2375 });
    expect(optionsOf('https://far')).toMatchObject({ protocol: 'https', host: 'far', port: 2376 });
    expect(optionsOf('tcp://far:1')).toMatchObject({ host: 'far', port: 1 });
  });

  it('leaves ssh to the machine’s own, with what the address says', () => {
    expect(optionsOf('ssh://me@far:2222')).toMatchObject({ protocol: 'http', host: 'far', agent: expect.anything() });
    expect(sshArguments(new URL('ssh://me@far:2222')).join(' ')).toBe(
      '-T -o BatchMode=yes -o ConnectTimeout=30 -l me -p 2222 -- far docker system dial-stdio',
    );
    expect(sshArguments(new URL('ssh://far')).slice(-3)).toEqual(['--', 'far', 'docker system dial-stdio']);
    expect(sshArguments(new URL('ssh://[::1]')).at(-2)).toBe('::1');
  });

  it('takes nothing from a DOCKER_HOST that is about another engine', async () => {
    await using engine = await fakeEngine(withoutImages);
    vi.stubEnv('DOCKER_HOST', 'tcp://127.0.0.1:1');
    expect((await connectEngine(engine.host)).version).toBe('99.0');
  });

  it('reaches an engine behind ssh without a warning, and says what ssh said when it cannot', async () => {
    await using engine = await fakeEngine(withoutImages);
    await using ssh = await fakeSsh(engine.host.slice('unix://'.length));
    vi.stubEnv('PATH', `${ssh.directory}${delimiter}${process.env.PATH}`);
    const warnings: Error[] = [];
    const warned = (warning: Error) => warnings.push(warning);
    process.on('warning', warned);
    vi.stubEnv('DOCKER_HOST', 'ssh://me@far:2222');
    const found = await connectEngine();
    expect([found.version, found.local]).toEqual(['99.0', false]);
    await expect(connectEngine('ssh://closed')).rejects.toThrow(/Permission denied \(publickey\)/);
    vi.stubEnv('PATH', '/nowhere');
    await expect(connectEngine('ssh://far')).rejects.toThrow(/no `ssh` on this machine/);
    process.off('warning', warned);
    expect(warnings).toEqual([]);
  });
});
