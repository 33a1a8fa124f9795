import { jsonSchema as aiJsonSchema, tool as aiTool } from 'ai';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../../src/tool/define-tool.js';
import type { ToolDescriptor } from '../../../src/tool/descriptor.js';
import { ToolRegistry, type ToolSource, type ToolsOption } from '../../../src/tool/registry.js';

const ctx = { toolCallId: 'call_1', messages: [] };
const told = { context: undefined, sandbox: undefined };

function makeTool(name: string, displayName?: string) {
  return defineTool({
    name,
    displayName,
    description: `Does ${name}`,
    input: z.object({ a: z.string() }),
    execute: ({ a }) => a,
  });
}

let registry: ToolRegistry;
beforeEach(() => {
  registry = new ToolRegistry();
});

describe('register()', () => {
  it('L90: registers a tool under its own name and gives the same object back', () => {
    const tool = makeTool('lookup');
    registry.register(tool);
    expect(registry.get('lookup')).toBe(tool);
    expect(registry.has('lookup')).toBe(true);
    expect(registry.resolve('lookup')).toMatchObject({ name: 'lookup', displayName: 'lookup' });
    expect(registry.resolve('lookup')?.describe(told)).toBe('Does lookup');
  });

  it('L91: a duplicate names both tools and the fix', () => {
    registry.register(makeTool('x', 'A'));
    expect(() => registry.register(makeTool('x', 'B'))).toThrow(
      'Tool name \'x\' is already registered: existing tool "A" conflicts with new tool "B". Give one of them a different name.',
    );
    expect(registry.resolve('x')?.displayName).toBe('A');
  });

  it('L92: a tool of the AI SDK v5 and later works as it is', async () => {
    registry.register(
      'weather',
      aiTool({
        description: 'Weather',
        title: 'The weather',
        inputSchema: z.object({ city: z.string() }),
        execute: async ({ city }, { toolCallId }) => `${city} ${toolCallId}`,
      }),
    );
    const tool = registry.resolve('weather');
    expect(tool).toMatchObject({ name: 'weather', displayName: 'The weather' });
    expect(tool?.describe(told)).toBe('Weather');
    expect(tool?.schema.jsonSchema).toMatchObject({ properties: { city: { type: 'string' } } });
    expect(await tool?.execute?.({ city: 'Oslo' }, ctx)).toBe('Oslo call_1');
  });

  it('L92: a tool of the AI SDK v4 works as it is', async () => {
    registry.register('weather', {
      description: 'Weather',
      parameters: z.object({ city: z.string() }),
      execute: async ({ city }: { city: string }) => city,
    });
    const tool = registry.resolve('weather');
    expect(await tool?.schema.parse({})).toMatchObject({ ok: false, issues: [{ path: 'city' }] });
    expect(await tool?.execute?.({ city: 'Oslo' }, ctx)).toBe('Oslo');
  });

  it('L92: an AI SDK tool with a JSON Schema and an output schema works as it is', async () => {
    registry.register(
      'count',
      aiTool({
        inputSchema: aiJsonSchema<{ n: number }>({ type: 'object', properties: { n: { type: 'number' } } }),
        outputSchema: z.number(),
        execute: ({ n }) => n + 1,
      }),
    );
    const tool = registry.resolve('count');
    expect(tool?.outputSchema?.jsonSchema).toEqual({ type: 'number' });
    expect(await tool?.execute?.({ n: 1 }, ctx)).toBe(2);
  });

  it('L93: a duplicate under an explicit name throws too', () => {
    registry.register('x', makeTool('x'));
    expect(() => registry.register('x', makeTool('y', 'Other'))).toThrow(/'x' is already registered.*"x".*"Other"/);
  });

  it('L93: replace overwrites in place', () => {
    registry.registerMany([makeTool('x'), makeTool('y')]);
    const replacement = makeTool('z');
    registry.register('x', replacement, { replace: true });
    expect(registry.get('x')).toBe(replacement);
    expect(registry.list()).toEqual(['x', 'y']);
  });

  it('L96: a raw descriptor without a name is refused, mentioning defineTool', () => {
    const register = (tool: unknown) => () => registry.register(tool as never);
    expect(register({ displayName: 'x', tool: {} })).toThrow(/defineTool/);
    for (const wrong of [undefined, null, 7, () => 1, {}]) expect(register(wrong)).toThrow(/defineTool/);
  });

  it('L96: a name without a descriptor is refused', () => {
    expect(() => registry.register('x', undefined as unknown as ToolDescriptor)).toThrow(/a descriptor is required/);
    expect(() => registry.register('x', null as unknown as ToolDescriptor)).toThrow(/a descriptor is required/);
    expect(() => registry.register('x', 'y' as unknown as ToolDescriptor)).toThrow(/a descriptor is required/);
  });

  it.each(['has space', 'a'.repeat(65), 'a\n', 'é', ''])('L2: the name %j is refused', (name) => {
    expect(() => registry.register(name, makeTool('x'))).toThrow(/name/);
    expect(registry.size()).toBe(0);
  });

  it('L21: a descriptor that could not run is refused when it is registered', () => {
    expect(() => registry.register('x', { description: 'No schema', execute: () => 1 })).toThrow(
      /zod schema as 'input'/,
    );
    expect(() => registry.register('x', { inputSchema: z.object({}) })).toThrow(/no 'execute' function/);
    expect(() => registry.register('x', { inputSchema: z.string(), execute: () => 1 })).toThrow(
      /must describe an object/,
    );
    expect(registry.size()).toBe(0);
  });

  it('a tool that runs at the provider is refused by its id', () => {
    const provider = { type: 'provider', id: 'openai.web_search', isProviderExecuted: true, inputSchema: z.object({}) };
    expect(() => registry.register('web_search', provider as ToolDescriptor)).toThrow(
      /'openai.web_search' runs at the model's provider/,
    );
  });
});

describe('names that every object inherits', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];

  it.each(names)('L4: %s is unknown until it is registered', (name) => {
    expect(registry.has(name)).toBe(false);
    expect(registry.get(name)).toBeUndefined();
    expect(registry.resolve(name)).toBeUndefined();
    expect(registry.unregister(name)).toBe(false);
  });

  it('L4: they register, list, resolve, run and export', async () => {
    registry.registerMany(names.map((name) => makeTool(name)));
    expect(registry.list()).toEqual(names);
    for (const name of names) expect(await registry.resolve(name)?.execute?.({ a: name }, ctx)).toBe(name);
    const all = registry.getAll();
    expect(Object.keys(all)).toEqual(names);
    expect(Object.getPrototypeOf(all)).toBe(null);
    expect(({} as { name?: string }).name).toBeUndefined();
  });

  it('L4: a record with an own __proto__ member registers it', () => {
    const record = Object.defineProperty({}, '__proto__', { value: makeTool('x'), enumerable: true });
    registry.registerMany(record as ToolsOption);
    expect(registry.list()).toEqual(['__proto__']);
  });
});

describe('registerMany() with a source', () => {
  const source = (...names: string[]): ToolSource => ({
    attach: (registry) => {
      registry.registerMany(names.map((name) => makeTool(name)));
      return () => {
        for (const name of names) registry.unregister(name);
      };
    },
  });

  it('lets it register its tools after the others, wherever it stands', () => {
    const registry = new ToolRegistry();
    registry.registerMany([source('s'), [makeTool('a'), [source('t')]]]);
    expect(registry.list()).toEqual(['a', 's', 't']);
  });

  it('registers nothing when a source cannot register its tools', () => {
    const registry = new ToolRegistry();
    expect(() => registry.registerMany([makeTool('a'), source('s'), source('a')])).toThrow(/already registered/);
    expect(registry.list()).toEqual([]);
  });
});

describe('registerMany()', () => {
  it('L94: takes a list of defined tools', () => {
    registry.registerMany([makeTool('a'), makeTool('b')]);
    expect(registry.list()).toEqual(['a', 'b']);
  });

  it('L94: takes a record, one tool, nested and mixed lists, and a registry', () => {
    const other = new ToolRegistry();
    other.register(makeTool('f'));
    registry.registerMany({ a: makeTool('a') });
    registry.registerMany(makeTool('b'));
    registry.registerMany([[makeTool('c'), { d: makeTool('x') }], makeTool('e'), other, []]);
    registry.registerMany(undefined);
    expect(registry.list()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('L94: names that collide throw, and then nothing was registered', () => {
    expect(() => registry.registerMany([makeTool('a'), makeTool('b'), { a: makeTool('x', 'Other') }])).toThrow(
      /'a' is already registered: existing tool "a" conflicts with new tool "Other"/,
    );
    expect(registry.size()).toBe(0);
  });

  it('L94: one tool that cannot run keeps all of them out', () => {
    expect(() => registry.registerMany({ good: makeTool('good'), bad: {} })).toThrow(/'bad'/);
    expect(registry.size()).toBe(0);
  });

  it('L95: a record registers under its keys', () => {
    const tool = makeTool('original');
    registry.registerMany({ mine: tool });
    expect(registry.list()).toEqual(['mine']);
    expect(registry.get('mine')).toBe(tool);
    expect(registry.resolve('mine')?.name).toBe('mine');
  });

  it('L95: a record may have a key called name', () => {
    registry.registerMany({ name: makeTool('x') });
    expect(registry.list()).toEqual(['name']);
  });

  it('L96: an unnamed descriptor in a list is pointed at the record form', () => {
    const descriptor = { displayName: 'X', inputSchema: z.object({}), execute: () => 1 };
    expect(() => registry.registerMany([descriptor as unknown as ToolsOption])).toThrow(/no 'name'.*record form/);
  });

  it.each(['weather', 7, null])('L96: %j in a list is refused', (entry) => {
    expect(() => registry.registerMany([entry as unknown as ToolsOption])).toThrow(
      /must be a tool or a record of tools/,
    );
  });

  it('L96: a member of a record that is no tool is named', () => {
    expect(() => registry.registerMany({ good: makeTool('good'), bad: null } as unknown as ToolsOption)).toThrow(
      /'bad' must be a tool/,
    );
  });
});

describe('the rest', () => {
  it('L97: list, size, unregister and clear', () => {
    registry.registerMany([makeTool('b'), makeTool('a'), makeTool('c')]);
    expect(registry.list()).toEqual(['b', 'a', 'c']);
    expect(registry.size()).toBe(3);
    expect(Object.keys(registry.getAll())).toEqual(['b', 'a', 'c']);
    expect(registry.unregister('a')).toBe(true);
    expect(registry.unregister('a')).toBe(false);
    expect(registry.list()).toEqual(['b', 'c']);
    registry.register(makeTool('a'));
    expect(registry.list()).toEqual(['b', 'c', 'a']);
    registry.clear();
    expect(registry.size()).toBe(0);
    expect(registry.list()).toEqual([]);
  });
});
