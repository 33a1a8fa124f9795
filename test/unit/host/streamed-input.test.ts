import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAuditLog, createToolHost, defineTool, type HostEvent, type ToolDescriptor } from '../../../src/index.js';

const ID = { toolCallId: 'c1', toolName: 't' };

function hostWith(listener: object = {}, options: object = {}) {
  const events: HostEvent[] = [];
  const told: string[] = [];
  const plain = defineTool({
    name: 't',
    description: 'Takes a number',
    input: z.object({ n: z.number() }),
    execute: () => void told.push('execute'),
  });
  const tool = { ...plain, ...listener } as ToolDescriptor & { name: string };
  const host = createToolHost({ tools: [tool], onEvent: (event) => events.push(event), ...options });
  return { host, events, told };
}

describe('host.input', () => {
  it('tells the beginning once and every piece in order, before the call of the same id', async () => {
    const { host, events } = hostWith();
    void host.input.delta({ ...ID, text: '{"n"' }, { sessionId: 's' });
    void host.input.delta({ ...ID, text: ':1}' });
    await host.call({ ...ID, args: '{"n":1}' });
    expect(events.map((event) => ('text' in event ? `${event.type} ${event.text}` : event.type))).toEqual([
      'input.started',
      'input.delta {"n"',
      'input.delta :1}',
      'call.started',
      'call.parsed',
      'decision',
      'run.started',
      'call.finished',
    ]);
    expect(events[0]).toMatchObject({ ...ID, sessionId: 's', time: expect.any(String) });
  });

  it('begins anew for an id that is used again', async () => {
    const { host, events } = hostWith();
    for (let turn = 0; turn < 2; turn += 1) {
      await host.input.start(ID);
      await host.call({ ...ID, args: { n: 1 } });
    }
    expect(events.filter(({ type }) => type === 'input.started')).toHaveLength(2);
  });

  it('lets a call, alone or in a batch, wait for a slow listener', async () => {
    const told: string[] = [];
    const slow = {
      onInputStart: async () => {
        await new Promise((resolve) => setTimeout(resolve, 30));
        told.push('start');
      },
      onInputDelta: ({ inputTextDelta }: { inputTextDelta: string }) => void told.push(inputTextDelta),
      execute: () => void told.push('execute'),
    };
    const { host } = hostWith(slow);
    void host.input.delta({ ...ID, text: 'a' });
    void host.input.delta({ ...ID, text: 'b' });
    await host.callMany([{ ...ID, args: { n: 1 } }]);
    expect(told).toEqual(['start', 'a', 'b', 'execute']);
  });

  it('breaks nothing when the tool’s listener throws, the tool is not known, or it is denied', async () => {
    const { host } = hostWith({
      onInputStart: () => {
        throw new Error('no');
      },
      onInputDelta: () => Promise.reject(new Error('no')),
    });
    await host.input.delta({ ...ID, text: 'x' });
    await host.input.delta({ toolCallId: 'c2', toolName: 'ghost', text: 'x' });
    expect((await host.call({ ...ID, args: { n: 1 } })).status).toBe('ok');

    const heard: string[] = [];
    const denied = hostWith({ onInputDelta: () => void heard.push('x') }, { permissions: { deny: ['t'] } });
    await denied.host.input.delta({ ...ID, text: 'x' });
    expect(heard).toEqual([]);
  });

  it('keeps the pieces out of the audit log', async () => {
    const lines: string[] = [];
    const { host } = hostWith({}, { onEvent: createAuditLog({ write: (line) => lines.push(line) }) });
    await host.input.delta({ ...ID, text: '{"password":"hush"' });
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ type: 'input.delta', characters: 18 });
    expect(lines.join('')).not.toContain('hush');
  });
});
