import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { it } from 'vitest';
import { DEFAULT_IMAGE } from '../../../src/sandbox/docker/default-image.js';
import type { Engine } from '../../../src/sandbox/docker/engine/engine.js';
import { describeOnDocker } from '../engine.js';

const script = fileURLToPath(new URL('../../../images/build-busybox.sh', import.meta.url));

/** Like `describeOnDocker`, but a named, reported skip where the image of busybox cannot be made either. */
export function describeWithBusybox(name: string, body: (engine: Engine) => void): void {
  const able = ['apt-get', 'dpkg-deb', 'docker'].every((tool) => spawnSync(tool, ['--version']).error === undefined);
  if (able || process.env.CAISSON_REQUIRE_DOCKER === '1') return describeOnDocker(name, body);
  const reason = "the image of busybox is made with Debian's apt-get and dpkg-deb";
  process.stdout.write(`skipped: ${name}: ${reason}\n`);
  it.skip(`${name} (skipped: ${reason})`, () => {});
}

/** A static busybox and nothing else. Made once for each engine and tag. */
export async function makeBusybox(engine: Engine, tag: string): Promise<string> {
  if (await exists(engine, tag)) return tag;
  const { host } = engine.endpoint;
  await promisify(execFile)(script, [tag], { env: { ...process.env, DOCKER_HOST: host } });
  return tag;
}

/** The default image without Node, and without what this machine's would need. */
export async function makeWithoutNode(engine: Engine, tag: string): Promise<string> {
  if (await exists(engine, tag)) return tag;
  const container = await engine.docker.createContainer({
    Image: DEFAULT_IMAGE,
    Cmd: ['/bin/sh', '-c', 'rm /usr/local/bin/node; rm -f /usr/lib/*/libstdc++.so.6 /usr/lib/*/libstdc++.so.6.*'],
    HostConfig: { NetworkMode: 'none' },
  });
  await container.start();
  await container.wait();
  const [repo = '', name = ''] = tag.split(':');
  await container.commit({ repo, tag: name });
  await container.remove();
  return tag;
}

export async function removeImages({ docker }: Engine, ...tags: string[]): Promise<void> {
  for (const tag of tags) {
    await docker
      .getImage(tag)
      .remove({ force: true })
      .catch(() => {});
  }
}

async function exists({ docker }: Engine, tag: string): Promise<boolean> {
  return docker
    .getImage(tag)
    .inspect()
    .then(
      () => true,
      () => false,
    );
}
