import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import type { HostEvent } from '../../../src/host/types.js';
import { defineTool } from '../../../src/tool/define-tool.js';
import { deferred, errorOf, outputOf, settled } from './outcomes.js';
import { plainSandbox } from './test-sandbox.js';

const call = { toolName: 'stream', args: {} };

function streaming(execute: () => unknown, onEvent?: (event: HostEvent) => void) {
  const tool = defineTool({ name: 'stream', description: 'd', input: z.object({}), execute });
  return createToolHost({ tools: tool, ...(onEvent ? { onEvent } : {}) });
}

describe('a tool that yields', () => {
  it('L70: tells every snapshot, and the last one is the result', async () => {
    const events: unknown[] = [];
    const partials: unknown[] = [];
    const host = streaming(
      async function* () {
        yield { lines: 1 };
        yield { lines: 2 };
        return 'ignored';
      },
      (event) => event.type === 'tool.partial' && events.push([event.index, event.output]),
    );
    const outcome = await host.call(call, {
      onPartial: ({ index, output, toolName }) => partials.push([index, output, toolName]),
    });
    expect(outputOf(outcome)).toEqual({ lines: 2 });
    expect(events).toEqual([
      [0, { lines: 1 }],
      [1, { lines: 2 }],
    ]);
    expect(partials).toEqual([
      [0, { lines: 1 }, 'stream'],
      [1, { lines: 2 }, 'stream'],
    ]);
  });

  it('L70: nothing gives null', async () => {
    expect(outputOf(await streaming(async function* () {}).call(call))).toBeNull();
  });

  it('L70: and then throws is an execution error after its partials', async () => {
    const partials: unknown[] = [];
    const host = streaming(async function* () {
      yield 1;
      throw new RangeError('half way');
    });
    const outcome = await host.call(call, { onPartial: ({ output }) => partials.push(output) });
    expect(errorOf(outcome)).toMatchObject({ error: 'RangeError', kind: 'execution' });
    expect(partials).toEqual([1]);
  });

  it('L71: is told from a ReadableStream, which is a plain value', async () => {
    const partial = vi.fn();
    outputOf(await streaming(() => new ReadableStream()).call(call, { onPartial: partial }));
    expect(partial).not.toHaveBeenCalled();
  });

  it('L72: stops at once on abort, runs its finally blocks, and later snapshots are not told', async () => {
    const gate = deferred();
    const closed = vi.fn();
    const partials: unknown[] = [];
    const host = streaming(async function* () {
      try {
        yield 1;
        await gate.promise;
        yield 2;
      } finally {
        closed();
      }
    });
    const controller = new AbortController();
    const pending = host.call(call, { signal: controller.signal, onPartial: ({ output }) => partials.push(output) });
    await settled();
    controller.abort();
    expect(errorOf(await pending)).toMatchObject({ kind: 'execution', code: 'aborted' });
    gate.resolve();
    await settled();
    expect(partials).toEqual([1]);
    expect(closed).toHaveBeenCalledTimes(1);
  });

  it('L73: may do so inside the sandbox', async () => {
    const partials: unknown[] = [];
    const tool = defineTool({
      name: 'stream',
      description: 'd',
      input: z.object({}),
      requiresSandbox: true,
      execute: () => 'never',
      async *sandboxExecute(_args, sandbox) {
        yield 'starting';
        yield (await sandbox.exec('make')).stdout;
      },
    });
    const host = createToolHost({ tools: tool, sandbox: plainSandbox() });
    const outcome = await host.call(call, { onPartial: ({ output }) => partials.push(output) });
    expect(outputOf(outcome)).toBe('sh -c make');
    expect(partials).toEqual(['starting', 'sh -c make']);
  });

  it('is not held up or broken by a listener that throws', async () => {
    const host = streaming(async function* () {
      yield 1;
    });
    const onPartial = () => {
      throw new Error('listener');
    };
    expect(outputOf(await host.call(call, { onPartial }))).toBe(1);
  });
});
