import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Sandbox } from '../../../src/sandbox/contract.js';
import { type DefineToolOptions, defineTool } from '../../../src/tool/define-tool.js';

const input = z.object({ to: z.string(), subject: z.string() });
const base = { name: 'ok', description: 'A tool', input, execute: () => 1 };
const ctx = { toolCallId: 'call_1', messages: [] };

/** Options as plain JavaScript may give them. */
function define(options: object) {
  return defineTool(options as DefineToolOptions<typeof input, unknown>);
}

describe('names', () => {
  it.each([undefined, '', 42, null, {}])('L1: defineTool() refuses the name %j and shows an example', (name) => {
    expect(() => define({ ...base, name })).toThrow(/'name' is required.*name: '/);
  });

  it.each(['a', 'a'.repeat(64), 'send_email', 'Send-Email-2', '_', '-', '0'])(
    'L2: defineTool() accepts the name %j',
    (name) => {
      expect(define({ ...base, name }).name).toBe(name);
    },
  );

  it.each(['a'.repeat(65), 'has space', 'a.b', 'é', 'a\n', '\na', 'a\0', 'a/b', ' ', '名前', 'a'.repeat(1_000_000)])(
    'L2: defineTool() refuses a name outside the pattern (%#)',
    (name) => {
      expect(() => define({ ...base, name })).toThrow(/invalid tool name/);
    },
  );

  it.each([
    ['has space', 'has_space'],
    ['a.b', 'a_b'],
    ['é', 'e'],
    ['名前', 'my_tool'],
    ['get  the / weather', 'get_the_weather'],
    ['x'.repeat(70), 'x'.repeat(64)],
  ])('L3: defineTool() suggests a valid name for %j', (name, suggestion) => {
    expect(() => define({ ...base, name })).toThrow(`"${suggestion}"`);
    expect(define({ ...base, name: suggestion }).name).toBe(suggestion);
  });

  it('L3: an error about a very long name stays short', () => {
    const refuse = () => define({ ...base, name: ' '.repeat(1_000_000) });
    expect(refuse).toThrow(TypeError);
    expect(messageOf(refuse).length).toBeLessThan(500);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('L4: a tool may be called %s', (name) => {
    expect(define({ ...base, name })).toMatchObject({ name, displayName: name });
  });
});

describe('required options', () => {
  it.each([undefined, '', '  ', 7])('L5: defineTool() refuses the description %j', (description) => {
    expect(() => define({ ...base, description })).toThrow(/'ok'.*missing a 'description'/);
  });

  it.each([undefined, null, 'run', {}])('L11: defineTool() refuses execute %j', (execute) => {
    expect(() => define({ ...base, execute })).toThrow(/'ok'.*'execute' function/);
  });

  it('L21: every failure is thrown by defineTool() itself', () => {
    for (const bad of [{ name: undefined }, { description: ' ' }, { input: undefined }, { execute: undefined }]) {
      expect(() => define({ ...base, ...bad })).toThrow(TypeError);
    }
  });

  it.each([undefined, null, 'tool'])('L21: defineTool(%j) says what to pass', (options) => {
    expect(() => define(options as unknown as object)).toThrow(/defineTool\(\{ name, description, input, execute \}\)/);
  });
});

describe('optional options', () => {
  it('L12: displayName defaults to the name', () => {
    expect(define(base).displayName).toBe('ok');
    expect(define({ ...base, displayName: 'Nice' }).displayName).toBe('Nice');
  });

  it.each([true, false])('L13: needsApproval %j is carried', (needsApproval) => {
    expect(define({ ...base, needsApproval }).needsApproval).toBe(needsApproval);
  });

  it('L14, L15: a needsApproval predicate is carried with its call information', async () => {
    const seen: unknown[] = [];
    const tool = defineTool({
      ...base,
      needsApproval: async (args, call) => {
        seen.push(args, call);
        return { deny: 'Outside the company' };
      },
    });
    const call = { toolName: 'ok', toolCallId: 'call_1', messages: [] };
    if (typeof tool.needsApproval !== 'function') throw new Error('The predicate was not carried');
    expect(await tool.needsApproval({ to: 'a', subject: 'b' }, call)).toEqual({ deny: 'Outside the company' });
    expect(seen).toEqual([{ to: 'a', subject: 'b' }, call]);
  });

  it('L17, L66: requiresSandbox and a sandboxExecute of two or three parameters are carried', async () => {
    const sandbox = { name: 'fake' } as Sandbox;
    const two = defineTool({ ...base, requiresSandbox: true, sandboxExecute: async (_args, { name }) => name });
    const three = defineTool({
      ...base,
      requiresSandbox: true,
      sandboxExecute: (_args, { name }, c) => `${name} ${c.toolCallId}`,
    });
    expect(two.requiresSandbox).toBe(true);
    expect(await two.sandboxExecute?.({ to: '', subject: '' }, sandbox, ctx)).toBe('fake');
    expect(await three.sandboxExecute?.({ to: '', subject: '' }, sandbox, ctx)).toBe('fake call_1');
  });

  it('L18: requiresSandbox without sandboxExecute is a valid definition', () => {
    const tool = define({ ...base, requiresSandbox: true });
    expect(tool.requiresSandbox).toBe(true);
    expect(tool.sandboxExecute).toBeUndefined();
  });

  it('L20: sandboxExecute without requiresSandbox leaves requiresSandbox false', () => {
    expect(define({ ...base, sandboxExecute: () => 1 }).requiresSandbox).toBe(false);
  });

  it('L28: annotations and what other integrations know are carried as they are', () => {
    const carried = {
      annotations: { readOnlyHint: true },
      inputExamples: [{ input: { to: 'a', subject: 'b' } }],
      strict: true,
      providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
      metadata: { team: 'mail' },
      editsFiles: false,
      deferLoading: true,
    };
    const tool = define({ ...base, ...carried });
    expect(tool).toMatchObject(carried);
    expect(tool.providerOptions).toBe(carried.providerOptions);
  });

  it('L28: what is not given is not there', () => {
    expect(Object.keys(define(base)).sort()).toEqual(
      ['description', 'displayName', 'execute', 'input', 'inputSchema', 'name', 'requiresSandbox', 'tool'].sort(),
    );
  });

  it.each([
    [{ displayName: '' }, /'displayName' must be a string/],
    [{ needsApproval: 'yes' }, /'needsApproval' must be true, false or a function/],
    [{ requiresSandbox: 'yes' }, /'requiresSandbox' must be true or false/],
    [{ sandboxExecute: 'cat' }, /'sandboxExecute' must be a function/],
    [{ annotations: 'readOnly' }, /'annotations' must be an object/],
    [{ inputExamples: {} }, /'inputExamples' must be a list/],
    [{ strict: 1 }, /'strict' must be true or false/],
    [{ output: z.date }, /zod schema as 'output'/],
  ])('defineTool() refuses %j', (bad, message) => {
    expect(() => define({ ...base, ...bad })).toThrow(message);
  });

  it.each([
    ['descripton', 'description'],
    ['requireSandbox', 'requiresSandbox'],
    ['needsaproval', 'needsApproval'],
    ['parameters', 'input'],
    ['inputSchema', 'input'],
    ['outputSchema', 'output'],
    ['title', 'displayName'],
    ['handler', 'execute'],
  ])('defineTool() refuses the unknown option %s and names %s', (option, nearest) => {
    expect(() => define({ ...base, [option]: 'x' })).toThrow(`unknown option '${option}'; did you mean '${nearest}'?`);
  });

  it.each(['colour', 'toString', 'constructor'])(
    'defineTool() lists the options for the unknown option %s',
    (option) => {
      expect(() => define({ ...base, [option]: 'x' })).toThrow(/unknown option .*Known options: name, description/);
    },
  );

  it('defineTool() lists the options for an unknown option called __proto__', () => {
    const options = Object.defineProperty({ ...base }, '__proto__', { value: 1, enumerable: true });
    expect(() => define(options)).toThrow(/unknown option '__proto__'/);
  });
});

describe('the descriptor', () => {
  it('L22: the schema and execute are carried by identity', () => {
    const tool = define(base);
    expect(tool.inputSchema).toBe(input);
    expect(tool.input).toBe(input);
    expect(tool.execute).toBe(base.execute);
    expect(tool.description).toBe('A tool');
  });

  it('L23: the legacy .tool is an ai v4 object that runs', async () => {
    const tool = defineTool({ ...base, execute: async ({ to, subject }) => ({ messageId: `${to}:${subject}` }) });
    expect(Object.keys(tool.tool).sort()).toEqual(['description', 'execute', 'parameters']);
    expect(tool.tool.parameters).toBe(input);
    expect(tool.tool.description).toBe('A tool');
    expect(await tool.tool.execute({ to: 'a', subject: 's' }, ctx)).toEqual({ messageId: 'a:s' });
  });

  it('L27: a synchronous execute gives its value as it is', () => {
    expect(defineTool({ ...base, execute: () => 42 }).execute({ to: '', subject: '' }, ctx)).toBe(42);
  });

  it('L22: the output schema is carried as outputSchema', () => {
    const output = z.object({ id: z.string() });
    expect(define({ ...base, output }).outputSchema).toBe(output);
  });
});

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}
