import type { Experimental_SandboxSession as RealSession } from 'ai7';
import { afterEach, expect, expectTypeOf, it } from 'vitest';
import {
  createHarnessSandboxProvider,
  type HarnessSandboxProviderOptions,
  type HarnessSandboxSession,
} from '../../../src/interop/ai-sdk/index.js';
import { describeOnDocker, leftovers } from '../../docker/engine.js';

describeOnDocker('createHarnessSandboxProvider()', (engine) => {
  const open: HarnessSandboxSession[] = [];
  afterEach(async () => {
    for (const session of open.splice(0)) await session.destroy();
    expect(await leftovers(engine)).toEqual([]);
  });
  const create = async (
    options: HarnessSandboxProviderOptions = {},
    asked: Parameters<ReturnType<typeof createHarnessSandboxProvider>['createSession']>[0] = {},
  ) => {
    const provider = createHarnessSandboxProvider(options);
    const session = await provider.createSession(asked);
    open.push(session);
    return { provider, session };
  };

  it('gives a whole sandbox session of the AI SDK in a container, with /workspace as its directory', async () => {
    const { provider, session } = await create({}, { sessionId: 's1' });
    expectTypeOf(session).toExtend<RealSession>();
    expect(provider).toMatchObject({ specificationVersion: 'harness-sandbox-v1', providerId: 'caisson-docker' });
    expect(session).toMatchObject({ id: 's1', defaultWorkingDirectory: '/workspace', ports: [] });
    await session.writeTextFile({ path: 'a/b.txt', content: 'hello' });
    expect(await session.run({ command: 'cat a/b.txt && pwd' })).toMatchObject({
      exitCode: 0,
      stdout: 'hello/workspace\n',
    });
    expect(await session.run({ command: 'pwd', workingDirectory: '/workspace/a' })).toMatchObject({
      stdout: '/workspace/a\n',
    });
    expect(session.description).toMatch(/Linux/);
  });

  it('prepares a new session once, through the view that tools get, which cannot end it', async () => {
    const views: object[] = [];
    const { session } = await create(
      {},
      {
        onFirstCreate: async (view) => {
          views.push(view);
          await view.run({ command: 'echo ready > .prepared' });
        },
      },
    );
    expect(await session.readTextFile({ path: '.prepared' })).toBe('ready\n');
    expect(views).toEqual([session.restricted()]);
    for (const member of ['stop', 'destroy', 'setNetworkPolicy', 'getPortEndpoint'])
      expect(session.restricted()).not.toHaveProperty(member);
  });

  it('leaves nothing behind when preparing fails or its caller gives up', async () => {
    const provider = createHarnessSandboxProvider();
    await expect(provider.createSession({ onFirstCreate: () => Promise.reject(new Error('no disk')) })).rejects.toThrow(
      'no disk',
    );
    const controller = new AbortController();
    const starting = provider.createSession({ abortSignal: controller.signal });
    controller.abort(new Error('gone'));
    await expect(starting).rejects.toThrow('gone');
    expect(await leftovers(engine)).toEqual([]);
  });

  it('resumes a session that runs, and no other', async () => {
    const { provider, session } = await create({}, { sessionId: 's1' });
    expect(await provider.resumeSession({ sessionId: 's1' })).toBe(session);
    await expect(provider.createSession({ sessionId: 's1' })).rejects.toThrow(/'s1': it is running; resume it/);
    await Promise.all([session.stop(), session.stop(), session.destroy()]);
    await expect(provider.resumeSession({ sessionId: 's1' })).rejects.toThrow(/'s1': no container/);
    await expect(session.run({ command: 'true' })).rejects.toMatchObject({ code: 'sandbox_disposed' });
  });

  it('carries connections to its ports, without a network', { timeout: 60_000 }, async () => {
    const { session } = await create({ ports: [8123] });
    const server = `require('http').createServer((q, s) => s.end(q.method + ' ' + q.url)).listen(8123, '127.0.0.1', () => console.log('up'))`;
    await session.writeTextFile({ path: 'server.js', content: server });
    const running = await session.spawn({ command: 'node server.js' });
    const reader = running.stdout.getReader();
    await reader.read();
    const url = await session.getPortUrl({ port: 8123 });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const answers = await Promise.all(['/a', '/b', '/c'].map(async (path) => (await fetch(url + path)).text()));
    expect(answers).toEqual(['GET /a', 'GET /b', 'GET /c']);
    expect(await session.getPortEndpoint({ port: 8123, protocol: 'ws' })).toEqual({ url: url.replace('http', 'ws') });
    await expect(session.getPortUrl({ port: 80 })).rejects.toMatchObject({ code: 'unsupported' });
    await expect(session.getPortUrl({ port: 8123, protocol: 'https' })).rejects.toMatchObject({ code: 'unsupported' });
    await running.kill();
    await session.stop();
    await expect(fetch(url)).rejects.toThrow();
  });

  it('takes a network policy that holds, and refuses another', async () => {
    const { session } = await create();
    await session.setNetworkPolicy({ mode: 'deny-all' });
    await expect(session.setNetworkPolicy({ mode: 'allow-all' })).rejects.toMatchObject({ code: 'unsupported' });
    await expect(session.setNetworkPolicy({ mode: 'custom' })).rejects.toMatchObject({ code: 'unsupported' });
  });

  it('refuses options that cannot be, before anything starts', () => {
    expect(() => createHarnessSandboxProvider({ imag: 'x' } as never)).toThrow(/'imag'; did you mean 'image'/);
    expect(() => createHarnessSandboxProvider({ ports: [0] })).toThrow(/'ports' must be numbers from 1 to 65535/);
  });
});
