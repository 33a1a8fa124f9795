import { expect, it } from 'vitest';
import {
  createDockerSandbox,
  DEFAULT_IMAGE,
  inspectEngine,
  listSandboxes,
  reapSandboxes,
} from '../../src/sandbox/docker/index.js';
import { describeOnDocker } from './engine.js';

describeOnDocker('looking after sandboxes', (engine) => {
  it('a session is listed while it lives, is not reaped, and is not listed afterwards', async () => {
    const session = createDockerSandbox();
    await session.start();
    const mine = async () => (await listSandboxes()).filter(({ sessionId }) => sessionId === session.id);
    expect((await mine()).map(({ state, image, abandoned }) => [state, image, abandoned])).toEqual([
      ['running', DEFAULT_IMAGE, false],
    ]);
    const reaped = await reapSandboxes();
    expect(reaped.containers).not.toContain((await mine())[0]?.containerId);
    expect((await session.exec('echo alive')).stdout).toBe('alive\n');
    await session.dispose();
    expect(await mine()).toEqual([]);
  });

  it('a report names the engine, and whether the image is there', async () => {
    const report = await inspectEngine(DEFAULT_IMAGE);
    expect(report).toMatchObject({ reachable: true, endpoint: engine.endpoint.host, imagePresent: true });
    expect(await inspectEngine('caisson-no-such-image:1')).toMatchObject({ reachable: true, imagePresent: false });
    expect(await inspectEngine(DEFAULT_IMAGE, 'unix:///nowhere')).toMatchObject({
      reachable: false,
      tried: ["unix:///nowhere (the option 'engine')"],
    });
  });

  it("values of env are in the commands' environment, and nowhere in the container's configuration", async () => {
    await using session = createDockerSandbox({ env: { API_TOKEN: 'canary-5b1e' } });
    expect((await session.exec('echo $API_TOKEN')).stdout).toBe('canary-5b1e\n');
    const [listed] = (await listSandboxes()).filter(({ sessionId }) => sessionId === session.id);
    const inspected = await engine.docker.getContainer(listed?.containerId ?? '').inspect();
    expect(JSON.stringify(inspected)).not.toContain('canary-5b1e');
    expect((await session.exec('tr "\\0" "\\n" < /proc/1/environ')).stdout).toBe('');
  });

  it('git commits inside without asking anybody anything', async () => {
    await using session = createDockerSandbox();
    const result = await session.exec(
      'git init -q . && echo x > f && git add f && git commit -qm first && git commit --amend -q && git log --format="%an <%ae> %s" && git status --short',
    );
    expect([result.exitCode, result.stdout]).toEqual([0, 'Caisson agent <agent@caisson.invalid> first\n']);
  });
});
