import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import type { HostEvent, ToolHostOptions } from '../../../src/host/types.js';
import { defineTool } from '../../../src/tool/define-tool.js';
import { PropagatingToolError } from '../../../src/tool/propagating-error.js';
import { deferred, errorOf, outputOf, settled } from './outcomes.js';

/** A host with one tool whose calls end when the test says so. */
function steered(options: ToolHostOptions = {}) {
  const started: string[] = [];
  const ends = new Map<string, ReturnType<typeof deferred<unknown>>>();
  const tool = defineTool({
    name: 'step',
    description: 'd',
    input: z.object({ id: z.string(), ask: z.boolean().optional(), bad: z.never().optional() }),
    needsApproval: ({ ask }) => ask === true,
    execute: ({ id }) => {
      started.push(id);
      const end = deferred<unknown>();
      ends.set(id, end);
      return end.promise;
    },
  });
  const end = (id: string, value: unknown = id) => ends.get(id)?.resolve(value);
  return {
    started,
    end,
    fail: (id: string, error: unknown) => ends.get(id)?.reject(error),
    host: createToolHost({ tools: tool, ...options }),
  };
}

const step = (id: string, more: object = {}) => ({ toolCallId: id, toolName: 'step', args: { id, ...more } });

describe('callMany()', () => {
  it('L47: runs the calls of a turn at once', async () => {
    const { host, started, end } = steered();
    const pending = host.callMany([step('a'), step('b'), step('c')]);
    await settled();
    expect(started).toEqual(['a', 'b', 'c']);
    for (const id of started) end(id);
    expect((await pending).map(outputOf)).toEqual(['a', 'b', 'c']);
  });

  it('L48: runs strictly one after another with a concurrency of 1', async () => {
    const { host, started, end } = steered({ toolConcurrency: 1 });
    const pending = host.callMany([step('a'), step('b')]);
    await settled();
    expect(started).toEqual(['a']);
    end('a');
    await settled();
    expect(started).toEqual(['a', 'b']);
    end('b');
    await pending;
  });

  it('L48: never runs more than the concurrency', async () => {
    const { host, started, end } = steered({ toolConcurrency: 2 });
    const pending = host.callMany(['a', 'b', 'c', 'd'].map((id) => step(id)));
    await settled();
    expect(started).toEqual(['a', 'b']);
    end('b');
    await settled();
    expect(started).toEqual(['a', 'b', 'c']);
    end('a');
    end('c');
    await settled();
    end('d');
    expect((await pending).map(outputOf)).toEqual(['a', 'b', 'c', 'd']);
  });

  it.each([0, -1, 1.5, Number.NaN, 'all', null])('L48: refuses the concurrency %s', (toolConcurrency) => {
    expect(() => createToolHost({ toolConcurrency: toolConcurrency as never })).toThrow(
      "'toolConcurrency' must be a whole number of at least 1 or 'unbounded'",
    );
  });

  it('L49: answers in call order, whatever the order of the ends', async () => {
    const finished: string[] = [];
    const { host, end } = steered({
      onEvent: (event) => event.type === 'call.finished' && finished.push(event.toolCallId),
    });
    const pending = host.callMany([step('a'), step('b')]);
    await settled();
    end('b');
    await settled();
    end('a');
    expect((await pending).map(outputOf)).toEqual(['a', 'b']);
    expect(finished).toEqual(['b', 'a']);
  });

  it('L50: starts a call only after those before it passed their gates', async () => {
    const gate = deferred<{ decision: 'approve' }>();
    const { host, started, end } = steered({ approve: () => gate.promise });
    const pending = host.callMany([step('a'), step('b', { ask: true }), step('c')]);
    await settled();
    expect(started).toEqual(['a']);
    gate.resolve({ decision: 'approve' });
    await settled();
    expect(started).toEqual(['a', 'b', 'c']);
    for (const id of started) end(id);
    await pending;
  });

  it.each([0, 1, 2])(
    'L50: the first call that waits for approval, here at %i, stops those after it',
    async (position) => {
      const { host, started, end } = steered();
      const ids = ['a', 'b', 'c'];
      const pending = host.callMany(ids.map((id, index) => step(id, index === position ? { ask: true } : {})));
      await settled();
      for (const id of started) end(id);
      const outcomes = await pending;
      expect(started).toEqual(ids.slice(0, position));
      expect(outcomes.map(({ status }) => status)).toEqual([
        ...ids.slice(0, position).map(() => 'ok'),
        'awaiting-approval',
        ...ids.slice(position + 1).map(() => 'error'),
      ]);
      for (const outcome of outcomes.slice(position + 1)) {
        expect(errorOf(outcome)).toMatchObject({
          kind: 'not-run',
          error: 'ToolNotRunError',
          message: expect.stringContaining('waits for approval'),
        });
      }
    },
  );

  it('lets a call that fails at a gate hold up nobody', async () => {
    const { host, end } = steered();
    const pending = host.callMany([step('a', { bad: 1 }), { toolName: 'ghost', args: {} }, step('c')]);
    await settled();
    end('c');
    const [a, b, c] = await pending;
    expect(errorOf(a).kind).toBe('validation');
    expect(errorOf(b).kind).toBe('not-found');
    expect(outputOf(c)).toBe('c');
  });

  it('L51: keeps what finished and does not run what had not started when it is aborted', async () => {
    const { host, started, end } = steered({ toolConcurrency: 2 });
    const controller = new AbortController();
    const pending = host.callMany([step('a'), step('b'), step('c')], { signal: controller.signal });
    await settled();
    end('a');
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(started).toEqual(['a', 'b', 'c']);
    controller.abort();
    const [a, b, c] = await pending;
    expect(outputOf(a)).toBe('a');
    expect(errorOf(b)).toMatchObject({ kind: 'execution', code: 'aborted' });
    expect(errorOf(c)).toMatchObject({ kind: 'execution', code: 'aborted' });
  });

  it('L52: a call that never started is not-run', async () => {
    const { host, started } = steered({ toolConcurrency: 1 });
    const controller = new AbortController();
    const pending = host.callMany([step('a'), step('b')], { signal: controller.signal });
    await settled();
    controller.abort();
    const [a, b] = await pending;
    expect(errorOf(a).kind).toBe('execution');
    expect(errorOf(b)).toMatchObject({ kind: 'not-run', error: 'ToolNotRunError' });
    expect(started).toEqual(['a']);
  });

  it('L45: a propagating error waits for what runs, starts nothing more, then rejects', async () => {
    const { host, started, end, fail } = steered({ toolConcurrency: 2 });
    const stop = new PropagatingToolError('stop');
    const rejected = vi.fn();
    const pending = host.callMany([step('a'), step('b'), step('c')]).catch(rejected);
    await settled();
    fail('a', stop);
    await settled();
    expect(rejected).not.toHaveBeenCalled();
    expect(started).toEqual(['a', 'b']);
    end('b');
    await pending;
    expect(rejected).toHaveBeenCalledWith(stop);
  });

  it('answers nothing for no calls', async () => {
    expect(await steered().host.callMany([])).toEqual([]);
  });
});

describe('an abort', () => {
  it('ends a call whose tool does not listen, at once, and drops its late result', async () => {
    const events: HostEvent[] = [];
    const { host, end } = steered({ onEvent: (event) => events.push(event) });
    const controller = new AbortController();
    const pending = host.call(step('a'), { signal: controller.signal });
    await settled();
    controller.abort();
    expect(errorOf(await pending)).toMatchObject({
      error: 'AbortError',
      kind: 'execution',
      code: 'aborted',
      retryable: true,
    });
    const before = events.length;
    end('a');
    await settled();
    expect(events).toHaveLength(before);
  });

  it('swallows the late rejection of such a tool', async () => {
    const { host, fail } = steered();
    const controller = new AbortController();
    const pending = host.call(step('a'), { signal: controller.signal });
    await settled();
    controller.abort();
    await pending;
    fail('a', new Error('too late'));
    await settled();
  });

  it('before the call runs nothing', async () => {
    const { host, started } = steered();
    expect(errorOf(await host.call(step('a'), { signal: AbortSignal.abort() })).kind).toBe('not-run');
    expect(started).toEqual([]);
  });

  it('leaves no listener behind on a signal that outlives the call', async () => {
    const { host, end } = steered();
    const { signal } = new AbortController();
    const add = vi.spyOn(signal, 'addEventListener');
    const remove = vi.spyOn(signal, 'removeEventListener');
    const pending = host.call(step('a'), { signal });
    await settled();
    end('a');
    await pending;
    expect(add.mock.calls.length).toBeGreaterThan(0);
    expect(remove.mock.calls.length).toBeGreaterThanOrEqual(add.mock.calls.length);
  });
});
