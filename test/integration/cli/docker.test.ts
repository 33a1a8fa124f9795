import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ownLabels } from '../../../src/sandbox/docker/engine/labels.js';
import { createDockerSandbox, DEFAULT_IMAGE } from '../../../src/sandbox/docker/index.js';
import { describeOnDocker } from '../../docker/engine.js';
import { fakeEngine, withoutImages } from '../../unit/docker/fake-engine.js';
import { runCli } from './run-cli.js';
import { createWorkspace } from './workspace.js';

const NO_ENGINE = { env: { DOCKER_HOST: 'unix:///nowhere' } };

describe('without an engine', () => {
  it.each([
    [['ps']],
    [['reap']],
    [['image', 'build']],
    [['image', 'build', '--if-missing']],
    [['call', 'shell', '--sandbox', 'docker', '--args', '{"command":"true"}']],
    [['shell', '--sandbox', 'docker']],
  ])('caisson %j exits with 4, and says what was tried and what to do', async (args) => {
    const { code, stdout, stderr } = await runCli(args, NO_ENGINE);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toContain('Cannot reach a Docker engine (unix:///nowhere: no such socket). Start it');
    expect(stderr).not.toMatch(/^ {4}at /m);
  });

  it('doctor says why docker does not work and how to mend it, and is content with the isolate', async () => {
    const { code, stdout } = await runCli(['doctor', '--json'], NO_ENGINE);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).backends).toContainEqual({
      name: 'docker',
      works: false,
      detail: 'Cannot reach a Docker engine (unix:///nowhere: no such socket)',
      fix: 'Start it, correct DOCKER_HOST, or use the isolate sandbox',
    });
  });

  it('--sandbox auto takes the isolate, and says so beside the output', async () => {
    const args = ['call', 'shell', '--sandbox', 'auto', '--args', '{"command":"echo hi"}'];
    const { code, stdout, stderr } = await runCli(args, NO_ENGINE);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'hi\n' });
    expect(stderr).toContain(
      'Sandbox isolate (not taken: docker: Cannot reach a Docker engine (unix:///nowhere: no such socket)',
    );
  });
});

describe('with an engine that does not have the image', () => {
  it('doctor says how to make it', async () => {
    await using engine = await fakeEngine(withoutImages);
    const { stdout } = await runCli(['doctor'], { env: { DOCKER_HOST: engine.host } });
    expect(stdout).toMatch(/✗ docker\s+engine 99\.0 at unix:.*does not have the image caisson-sandbox:/);
    expect(stdout).toContain('fix: Run caisson image build');
  });
});

describeOnDocker('on an engine', ({ docker }) => {
  it('doctor starts a container and says that it works', { timeout: 60_000 }, async () => {
    const { code, stdout } = await runCli(['doctor']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/✓ docker\s+engine .*first result after \d+ ms/);
  });

  it('--sandbox auto takes a container, and says so beside the output', { timeout: 60_000 }, async () => {
    const args = ['call', 'shell', '--sandbox', 'auto', '--args', '{"command":"git --version"}'];
    const { code, stdout, stderr } = await runCli(args);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^git version/) });
    expect(stderr).toContain("Sandbox docker (not taken: isolate: 'docker' comes first and works here)");
  });

  it('call runs real programs in a container, and overlay leaves the workspace alone', {
    timeout: 60_000,
  }, async () => {
    await using workspace = await createWorkspace({ 'README.md': 'teh end\n' });
    const base = [
      'call',
      'shell',
      '--sandbox',
      'docker',
      '-w',
      workspace.path,
      '--workspace-mode',
      'overlay',
      '--args',
    ];
    const { code, stdout } = await runCli([...base, '{"command":"git --version && sed -i s/teh/the/ README.md"}']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^git version /);
    expect(stdout).toContain('-teh end\n+the end\n');
    const { stdout: after } = await runCli([...base, '{"command":"cat README.md"}']);
    expect(after).toContain('teh end');
  });

  it('shell goes through its lines, and stays where commands can start', { timeout: 60_000 }, async () => {
    const input = 'mkdir -p src && cd src\ncd src\npwd\ncd /tmp\npwd\nexit 7\n';
    const { code, stdout, stderr } = await runCli(['shell', '--sandbox', 'docker'], { input });
    expect({ code, stdout }).toEqual({ code: 7, stdout: '/workspace/src\n/workspace/src\n' });
    expect(stderr).toContain("Cannot stay in '/tmp'");
  });

  it('ps lists a session that lives, and reap leaves it alone', { timeout: 60_000 }, async () => {
    await using session = createDockerSandbox();
    await session.start();
    const { stdout } = await runCli(['ps', '--json']);
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ sessionId: session.id, image: DEFAULT_IMAGE, abandoned: false }),
    );
    expect((await runCli(['ps'])).stdout).toMatch(new RegExp(`^${session.id} .* alive$`, 'm'));
    expect((await runCli(['reap'])).code).toBe(0);
    expect((await session.exec('echo alive')).stdout).toBe('alive\n');
  });

  it('reap removes what a dead host left', { timeout: 60_000 }, async () => {
    const Name = `caisson-test-${randomUUID()}`;
    // A host whose time was over long ago.
    await docker.createVolume({ Name, Labels: ownLabels(Name, 1) });
    await runCli(['reap']);
    await expect(docker.getVolume(Name).inspect()).rejects.toMatchObject({ statusCode: 404 });
  });

  it('image build --if-missing finds the image', async () => {
    const { code, stderr } = await runCli(['image', 'build', '--if-missing']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: `${DEFAULT_IMAGE} is there\n` });
  });
});
