import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createToolHost, defineTool, type NamedTool, type ToolErrorResult, type ToolHost } from '../../src/index.js';
import { type AnyAiSdkTool, fromAiSdkTool, toAiSdkTools } from '../../src/interop/ai-sdk/index.js';
import { type AnyLlmAgentTool, fromLlmAgentTool, toLlmAgentTools } from '../../src/interop/llm-agent/index.js';
import { TOOL_ERROR_KINDS, type ToolErrorKind } from '../../src/tool/result.js';

/** A host in which a call of `t` fails in the way that is asked for. */
function failing(kind: ToolErrorKind): { host: ToolHost; args: object } {
  const base = { name: 't', description: 'Fails', input: z.object({ n: z.number().optional() }) };
  const fails = (error: object) =>
    createToolHost({ tools: [defineTool({ ...base, execute: () => Promise.reject(error) })] });
  const plain = defineTool({ ...base, execute: () => 'ran' });
  switch (kind) {
    case 'execution':
      return { host: fails(Object.assign(new RangeError('too far'), { code: 'no_space' })), args: {} };
    case 'mcp':
    case 'not-run':
      return { host: fails(Object.assign(new Error('elsewhere'), { toolErrorKind: kind })), args: {} };
    case 'validation':
      return { host: createToolHost({ tools: [plain] }), args: { n: 'x' } };
    case 'not-found':
      return { host: createToolHost({ tools: [plain] }), args: {} };
    case 'rejected': {
      const approve = () => ({ decision: 'reject', note: 'not today' }) as const;
      return { host: createToolHost({ tools: [plain], permissions: { ask: ['t'] }, approve }), args: {} };
    }
    case 'denied': {
      const permissions = [{ effect: 'deny', tool: 't', args: { n: 1 }, reason: 'never one' }] as const;
      return { host: createToolHost({ tools: [plain], permissions }), args: { n: 1 } };
    }
    case 'sandbox': {
      const boxed = defineTool({ ...base, requiresSandbox: true, execute: () => 1, sandboxExecute: () => 1 });
      return { host: createToolHost({ tools: [boxed] }), args: {} };
    }
  }
}

/** Out of the host and into another, as a stranger's tool: without the mark by which `from(to(tool))` knows its own. */
const CROSSINGS: Record<string, (host: ToolHost) => NamedTool> = {
  'the AI SDK': (host) => {
    const tool = toAiSdkTools(host, { approve: 'host' }).t;
    return fromAiSdkTool('t', withoutMark(tool ?? {}) as AnyAiSdkTool);
  },
  'the AI SDK, where errors are values,': (host) => {
    const tool = toAiSdkTools(host, { approve: 'host', errors: 'value' }).t;
    return fromAiSdkTool('t', withoutMark(tool ?? {}) as AnyAiSdkTool);
  },
  'llm-agent': (host) => {
    const [tool] = toLlmAgentTools(host);
    return fromLlmAgentTool(withoutMark(tool ?? {}) as AnyLlmAgentTool, { validate: false });
  },
};

function withoutMark(tool: object): object {
  return Object.fromEntries(Object.entries(tool));
}

async function errorOf(host: ToolHost, args: object): Promise<ToolErrorResult> {
  const outcome = await host.call({ toolName: 't', args });
  if (outcome.status !== 'error') throw new Error(`Not an error: ${JSON.stringify(outcome)}`);
  return outcome.error;
}

describe.each(Object.entries(CROSSINGS))('an error that crosses %s', (_name, cross) => {
  it.each(TOOL_ERROR_KINDS)(
    'is still of kind %s, with its name, message, code and what belongs to the kind',
    async (kind) => {
      const { host, args } = failing(kind);
      const far = createToolHost({ tools: [cross(host)] });
      if (kind === 'not-found') host.registry.unregister('t');
      const before = await errorOf(host, args);
      expect(before.kind).toBe(kind);
      expect(await errorOf(far, args)).toEqual(before);
    },
  );
});

describe('an error that crosses the AI SDK as a value', () => {
  it('is one of a tool that streams too, while a result of that shape stays a result', async () => {
    const base = { name: 't', description: 'Streams', input: z.object({ fails: z.boolean() }) };
    const shaped = { error: 'E', toolName: 't', message: 'told', kind: 'execution' };
    async function* execute({ fails }: { fails: boolean }) {
      yield 'half';
      if (fails) throw new RangeError('too far');
      yield shaped;
    }
    const host = createToolHost({ tools: [defineTool({ ...base, execute })] });
    const exported = toAiSdkTools(host, { errors: 'value' }).t ?? {};
    const far = createToolHost({ tools: [fromAiSdkTool('t', withoutMark(exported) as AnyAiSdkTool)] });
    expect(await errorOf(far, { fails: true })).toMatchObject({ error: 'RangeError', kind: 'execution' });
    expect(await far.call({ toolName: 't', args: { fails: false } })).toMatchObject({ status: 'ok', output: shaped });
  });
});
