import { describe, expect, it } from 'vitest';
import { CallQueue } from '../../../src/sandbox/isolate/call-queue.js';

describe('CallQueue', () => {
  it('lets one in at a time, in order', async () => {
    const queue = new CallQueue();
    const seen: string[] = [];
    const visit = async (name: string) => {
      const leave = await queue.enter();
      seen.push(`${name} in`);
      await Promise.resolve();
      seen.push(`${name} out`);
      leave();
    };
    await Promise.all([visit('a'), visit('b'), visit('c')]);
    expect(seen).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
    expect(queue.busy).toBe(false);
  });

  it('refuses an aborted caller and lets the next one in', async () => {
    const queue = new CallQueue();
    const leave = await queue.enter();
    const controller = new AbortController();
    const waiting = queue.enter(controller.signal);
    const next = queue.enter();
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    leave();
    (await next)();
    expect(queue.busy).toBe(false);
  });

  it('refuses everyone once it is closed', async () => {
    const queue = new CallQueue();
    await queue.enter();
    const waiting = queue.enter();
    queue.close(new Error('closed'));
    await expect(waiting).rejects.toThrow('closed');
    await expect(queue.enter()).rejects.toThrow('closed');
  });
});
