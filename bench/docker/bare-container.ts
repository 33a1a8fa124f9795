import type Docker from 'dockerode';
import { DEFAULT_IMAGE } from '../../src/sandbox/docker/default-image.js';
import { LABEL } from '../../src/sandbox/docker/engine/labels.js';

/** What a container of the same image costs that only sleeps. */
export async function startBare(docker: Docker, hostConfig: Docker.HostConfig): Promise<Docker.Container> {
  const container = await docker.createContainer({
    Image: DEFAULT_IMAGE,
    Entrypoint: [],
    Cmd: ['sleep', '600'],
    User: '0:0',
    HostConfig: hostConfig,
  });
  await container.start();
  return container;
}

/** How the container of a session was asked for. */
export async function hostConfigOf(docker: Docker, sessionId: string): Promise<Docker.HostConfig> {
  const filters = JSON.stringify({ label: [`${LABEL}=${sessionId}`] });
  const [found] = await docker.listContainers({ filters });
  if (found === undefined) throw new Error(`Session ${sessionId} has no container`);
  return (await docker.getContainer(found.Id).inspect()).HostConfig;
}

/** One command as it is run without an agent. */
export async function bareExec(container: Docker.Container, Cmd: string[]): Promise<void> {
  const exec = await container.exec({ Cmd, AttachStdout: true, AttachStderr: true });
  const stream = await exec.start({});
  await new Promise<void>((resolve) => {
    stream.on('end', resolve);
    stream.resume();
  });
  await exec.inspect();
}
