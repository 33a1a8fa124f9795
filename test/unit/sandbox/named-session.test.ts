import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { SandboxUnavailableError } from '../../../src/sandbox/errors.js';
import { openNamedSession, startAutoSession, startFirst } from '../../../src/sandbox/named-session.js';
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
  it('says that a workspace is missing, once and not for each backend', async () => {
    const started = startAutoSession({ workspace: join(tmpdir(), 'caisson-no-such-directory') });
    await expect(started).rejects.toThrow(/^Cannot use '.*caisson-no-such-directory' as the workspace/);
  });
});
