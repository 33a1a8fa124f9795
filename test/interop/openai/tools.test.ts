import { describe, expect, it } from 'vitest';
import { codingTools, createToolHost, defineTool, ToolRegistry } from '../../../src/index.js';
import { explainOpenAiStrict, toOpenAiTools } from '../../../src/interop/openai/index.js';
import { add, say } from '../provider/tools.js';

/** What is said of one tool with this schema, whichever function says it. */
const reasonOf = (schema: Record<string, unknown>): string | undefined => {
  const inputSchema = { type: 'object', additionalProperties: false, ...schema };
  const tools = () => [{ name: 't', displayName: 'T', description: 'T', inputSchema }];
  const host = { tools, registry: new ToolRegistry() };
  const [told] = explainOpenAiStrict(host);
  const [tool] = toOpenAiTools(host, { api: 'chat' });
  expect(tool?.function.strict).toBe(told?.strict);
  return told?.strict === false ? told.reason.replace('Strict mode does not take the schema: ', '') : undefined;
};

const text = { type: 'string' };

describe('toOpenAiTools()', () => {
  it('gives functions in the form of each API, strict where the schema allows it', () => {
    const host = createToolHost({ tools: [add, say] });
    const parameters = {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
      additionalProperties: false,
    };
    expect(toOpenAiTools(host)[0]).toEqual({
      type: 'function',
      name: 'add',
      description: 'Adds two numbers',
      parameters,
      strict: true,
    });
    expect(toOpenAiTools(host, { api: 'chat' })).toMatchObject([
      { type: 'function', function: { name: 'add', description: 'Adds two numbers', parameters, strict: true } },
      { type: 'function', function: { name: 'say', strict: false } },
    ]);
  });

  it('uses no strict mode when told so', () => {
    const host = createToolHost({ tools: [add] });
    expect(toOpenAiTools(host, { strict: false })).toMatchObject([{ strict: false }]);
  });

  it('does not use strict mode for a tool that is defined without it', () => {
    const loose = defineTool({ name: 'add', description: 'A', input: add.input, strict: false, execute: () => 1 });
    const host = createToolHost({ tools: [loose] });
    expect(toOpenAiTools(host)).toMatchObject([{ strict: false }]);
    expect(explainOpenAiStrict(host)).toEqual([
      { toolName: 'add', strict: false, reason: "The tool is defined with 'strict: false'" },
    ]);
  });

  it('leaves out tools that are wholly denied', () => {
    const host = createToolHost({ tools: [add, say], permissions: { deny: ['add'] } });
    expect(toOpenAiTools(host)).toMatchObject([{ name: 'say' }]);
  });

  it('offers coding tools in place of the functions they stand for', () => {
    const host = createToolHost({ tools: codingTools() });
    const tools = toOpenAiTools(host, { codingTools: ['shell', 'apply_patch'] });
    expect(tools.map((tool) => (tool.type === 'function' ? tool.name : tool.type))).toEqual([
      'read_file',
      'list_dir',
      'glob',
      'grep',
      'shell',
      'apply_patch',
    ]);
    expect(tools).toContainEqual({ type: 'shell', environment: { type: 'local' } });
    expect(tools).toContainEqual({ type: 'apply_patch' });
  });

  it('does not offer a coding tool that could not run', () => {
    const host = createToolHost({ tools: codingTools(), permissions: { deny: ['shell', 'write_file'] } });
    const tools = toOpenAiTools(host, { codingTools: ['shell', 'local_shell', 'apply_patch'] });
    expect(tools.every(({ type }) => type === 'function')).toBe(true);
  });
});

describe('explainOpenAiStrict()', () => {
  it('says why the coding tools are not strict', () => {
    const told = explainOpenAiStrict(createToolHost({ tools: codingTools() }));
    expect(told.find(({ toolName }) => toolName === 'read_file')).toEqual({
      toolName: 'read_file',
      strict: false,
      reason: expect.stringContaining('Strict mode does not take the schema: '),
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ['no properties', {}],
    [
      'every type',
      {
        properties: {
          s: text,
          n: { type: 'number', minimum: 1 },
          b: { type: 'boolean' },
          l: { type: 'array', items: text, minItems: 1 },
          o: { type: ['string', 'null'] },
          e: { enum: ['x', 1] },
          c: { const: 'x' },
        },
        required: ['s', 'n', 'b', 'l', 'o', 'e', 'c'],
      },
    ],
    ['a union', { properties: { u: { anyOf: [text, { type: 'null' }] } }, required: ['u'] }],
    [
      'a recursive definition',
      {
        properties: { node: { $ref: '#/$defs/node' } },
        required: ['node'],
        $defs: {
          node: {
            type: 'object',
            properties: { next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
            required: ['next'],
            additionalProperties: false,
          },
        },
      },
    ],
    [
      'a property called __proto__',
      JSON.parse('{"properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}'),
    ],
  ])('takes %s', (_, schema) => {
    expect(reasonOf(schema)).toBeUndefined();
  });

  it.each<[string, Record<string, unknown>]>([
    ["'a' is optional", { properties: { a: text } }],
    ['its root allows properties that it does not name', { additionalProperties: true }],
    ["'a' allows properties that it does not name", { properties: { a: { type: 'object' } }, required: ['a'] }],
    [
      "'a.b' is optional",
      { properties: { a: { type: 'object', properties: { b: text }, additionalProperties: false } }, required: ['a'] },
    ],
    [
      "'a[].b' is optional",
      {
        properties: {
          a: { type: 'array', items: { type: 'object', properties: { b: text }, additionalProperties: false } },
        },
        required: ['a'],
      },
    ],
    ["'a' uses 'minLength'", { properties: { a: { type: 'string', minLength: 1 } }, required: ['a'] }],
    ["'a' uses 'oneOf'", { properties: { a: { oneOf: [text] } }, required: ['a'] }],
    ["its root uses 'allOf'", { allOf: [] }],
    ["its root has 'anyOf'", { anyOf: [{ type: 'object' }] }],
    ["'a' accepts any value", { properties: { a: {} }, required: ['a'] }],
    ["'a' accepts any value", { properties: { a: true }, required: ['a'] }],
    ["'a[]' accepts any value", { properties: { a: { type: 'array' } }, required: ['a'] }],
  ])('says %s', (reason, schema) => {
    expect(reasonOf(schema)).toBe(reason);
  });

  it('counts levels, properties, values and characters', () => {
    const nested = (levels: number): Record<string, unknown> =>
      levels === 0
        ? text
        : { type: 'object', properties: { a: nested(levels - 1) }, required: ['a'], additionalProperties: false };
    expect(reasonOf(nested(9))).toBeUndefined();
    expect(reasonOf(nested(10))).toBe('it is nested deeper than 10 levels');
    const many = (count: number, name = 'p') => {
      const names = Array.from({ length: count }, (_, index) => `${name}${index}`);
      return { properties: Object.fromEntries(names.map((property) => [property, text])), required: names };
    };
    expect(reasonOf(many(5_001))).toBe('it has 5001 properties, over 5000');
    expect(reasonOf(many(1_000, 'x'.repeat(120)))).toMatch(/^its names and values have \d+ characters, over 120000$/);
    const values = Array.from({ length: 1_001 }, (_, index) => index);
    expect(reasonOf({ properties: { e: { enum: values } }, required: ['e'] })).toBe(
      'it has 1001 enum values, over 1000',
    );
  });
});
