import { afterAll, expect, it } from 'vitest';
import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import { DEFAULT_IMAGE } from '../../src/sandbox/docker/default-image.js';
import { codeOf } from './attacks/attack.js';
import { describeOnDocker, leftovers } from './engine.js';

describeOnDocker('images', (engine) => {
  const made: string[] = [];
  afterAll(() =>
    Promise.all(
      made.map((tag) =>
        engine.docker
          .getImage(tag)
          .remove({ force: true })
          .catch(() => {}),
      ),
    ),
  );

  /** The default image after a change. */
  const derive = async (tag: string, command: string): Promise<string> => {
    const container = await engine.docker.createContainer({
      Image: DEFAULT_IMAGE,
      Cmd: ['/bin/sh', '-c', command],
      HostConfig: { NetworkMode: 'none' },
    });
    await container.start();
    await container.wait();
    await container.commit({ repo: 'caisson-test', tag });
    await container.remove();
    made.push(`caisson-test:${tag}`);
    return `caisson-test:${tag}`;
  };

  it('an image that is not there is image_missing, with what to run', async () => {
    const session = createDockerSandbox({ image: 'caisson-no-such-image:1' });
    const error = await session.start().then(
      () => undefined,
      (caught: Error & { code: string }) => caught,
    );
    expect(error?.code).toBe('image_missing');
    expect(error?.message).toMatch(/image build/);
    expect(await leftovers(engine)).toEqual([]);
  });

  it("an image without Node works with this machine's", async () => {
    await using session = createDockerSandbox({ image: await derive('no-node', 'rm /usr/local/bin/node') });
    const result = await session.exec('command -v node || echo none; sleep 30 & echo out');
    expect([result.stdout, result.exitCode]).toEqual(['none\nout\n', 0]);
    await session.fs.writeFile('a/b', 'c');
    expect((await session.exec('cat a/b')).stdout).toBe('c');
  }, 60_000);

  it('an image that no Node can run in is refused by name where an agent was asked for, and leaves nothing', async () => {
    const image = await derive(
      'no-libraries',
      'rm /usr/local/bin/node; rm -f /usr/lib/*/libstdc++.so.6 /usr/lib/*/libstdc++.so.6.*',
    );
    const session = createDockerSandbox({ image, transport: 'agent' });
    expect(await codeOf(session.start())).toBe('unsupported');
    expect(await leftovers(engine)).toEqual([]);
  }, 60_000);

  it('without setpriv what leaves its session is killed as far as it can be followed, and is not called verified', async () => {
    await using session = createDockerSandbox({ image: await derive('no-setpriv', 'rm /usr/bin/setpriv') });
    const result = await session.exec('setsid sh -c \'trap "" TERM; sleep 77\' & wait', { timeoutMs: 600 });
    expect([result.cause, result.killed]).toEqual(['timeout', 'unverified']);
    expect((await session.exec("ps -eo args | grep -c '[s]leep 77'")).stdout).toBe('0\n');
  }, 60_000);

  it('without Perl commands are started the slower way, and what leaves its session is killed just as surely', async () => {
    await using session = createDockerSandbox({ image: await derive('no-perl', 'rm /usr/bin/perl /usr/bin/perl5*') });
    const result = await session.exec('setsid sh -c \'trap "" TERM; sleep 78\' & wait', { timeoutMs: 600 });
    expect([result.cause, result.killed]).toEqual(['timeout', 'verified']);
    expect((await session.exec("ps -eo args | grep -c '[s]leep 78'")).stdout).toBe('0\n');
  }, 60_000);

  it('without bash the shell is sh, as a capability', async () => {
    await using session = createDockerSandbox({
      image: await derive('no-bash', 'rm /bin/bash /usr/bin/bash 2>/dev/null; true'),
    });
    await session.start();
    expect(session.capabilities.shell).toBe('sh');
    expect((await session.exec('echo $0; x=1; echo $x')).stdout).toMatch(/sh\n1\n$/);
  }, 60_000);
});
