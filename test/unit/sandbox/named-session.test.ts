import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SandboxUnavailableError } from '../../../src/sandbox/errors.js';
import { openNamedSession, startAutoSession, startFirst } from '../../../src/sandbox/named-session.js';
import { fakeEngine, hanging, withoutImages } from '../docker/fake-engine.js';
import { testSession } from '../host/test-sandbox.js';

describe('startFirst', () => {
  it('takes the first that starts, opens no other, and says why the others were not taken', async () => {
    const first = testSession();
    const open = vi.fn();
    const { session, passedOver } = await startFirst([
      { name: 'one', open: () => first },
      { name: 'two', open },
    ]);
    expect(session).toBe(first);
    expect(open).not.toHaveBeenCalled();
    expect(passedOver).toEqual([{ name: 'two', reason: "'one' comes first and works here" }]);
  });

  it('goes on to the next when one cannot start, and leaves nothing of that one behind', async () => {
    const broken = testSession({ failStarts: 1 });
    const works = testSession();
    const { session, passedOver } = await startFirst([
      { name: 'one', open: () => broken },
      { name: 'two', open: async () => works },
    ]);
    expect(session).toBe(works);
    expect(passedOver).toEqual([{ name: 'one', reason: 'no room' }]);
    expect(broken.log).toEqual(['start', 'dispose']);
  });

  it('rejects with every reason when none starts', async () => {
    const broken = (name: string) => ({ name, open: () => testSession({ failStarts: 1 }) });
    const failed = startFirst([broken('one'), broken('two')]);
    await expect(failed).rejects.toBeInstanceOf(SandboxUnavailableError);
    await expect(failed).rejects.toThrow('(one: no room; two: no room)');
  });

  it.each([
    ['a bad option', new TypeError('bad option')],
    ['an unusable workspace', new SandboxUnavailableError('no such directory', { path: '/x' })],
  ])('does not try another backend for %s', async (_, error) => {
    const open = vi.fn();
    const failing = {
      name: 'one',
      open: () => {
        throw error;
      },
    };
    await expect(startFirst([failing, { name: 'two', open }])).rejects.toBe(error);
    expect(open).not.toHaveBeenCalled();
  });
});

describe('openNamedSession', () => {
  it.each(['isolate', 'docker'] as const)('%s is open and not started, in the mode asked for', async (name) => {
    const workspace = await mkdtemp(join(tmpdir(), 'caisson-named-'));
    await using session = await openNamedSession(name, { workspace, workspaceMode: 'overlay' });
    expect(session).toMatchObject({ name, capabilities: { workspaceMode: 'overlay' } });
    await rm(workspace, { recursive: true });
  });
});

describe('startAutoSession', () => {
  afterEach(() => void vi.unstubAllEnvs());

  const startOn = async (host: string) => {
    vi.stubEnv('DOCKER_HOST', host);
    const { session, passedOver } = await startAutoSession({});
    await session.dispose();
    return { name: session.name, mode: session.capabilities.workspaceMode, passedOver };
  };

  it('takes the isolate where no engine answers', async () => {
    expect(await startOn('unix:///nowhere')).toEqual({
      name: 'isolate',
      mode: 'memory',
      passedOver: [{ name: 'docker', reason: expect.stringContaining('unix:///nowhere: no such socket') }],
    });
  });

  it('takes the isolate where the engine does not have the image, and says how to make it', async () => {
    await using engine = await fakeEngine(withoutImages);
    const { name, passedOver } = await startOn(engine.host);
    expect([name, passedOver[0]?.reason]).toEqual(['isolate', expect.stringMatching(/is not on the engine. Run/)]);
  });

  it('waits a second and no more for an engine that hangs, and leaves no connection open', async () => {
    await using engine = await fakeEngine(hanging);
    const startedAt = performance.now();
    const { name, passedOver } = await startOn(engine.host);
    expect([name, passedOver[0]?.reason]).toEqual(['isolate', expect.stringMatching(/no answer within 1 s/)]);
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    expect(await engine.connections()).toBe(0);
  });

  it('waits as little for one that answers and then hangs over its image', async () => {
    await using engine = await fakeEngine((request, response) => {
      if (!request.url?.includes('/images/')) withoutImages(request, response);
    });
    const { name, passedOver } = await startOn(engine.host);
    expect([name, passedOver[0]?.reason]).toEqual(['isolate', expect.stringMatching(/did not say within 1 s/)]);
  });

  it('says that a workspace is missing, once and not for each backend', async () => {
    vi.stubEnv('DOCKER_HOST', 'unix:///nowhere');
    const started = startAutoSession({ workspace: join(tmpdir(), 'caisson-no-such-directory') });
    await expect(started).rejects.toThrow(/^Cannot use '.*caisson-no-such-directory' as the workspace/);
  });
});
