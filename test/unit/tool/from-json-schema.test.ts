import { describe, expect, it } from 'vitest';
import { defineTool } from '../../../src/tool/define-tool.js';
import { fromJsonSchema } from '../../../src/tool/from-json-schema.js';
import { toToolSchema } from '../../../src/tool/schema.js';

const read = (schema: Record<string, unknown>) =>
  toToolSchema(fromJsonSchema(schema), { toolName: 'x', role: 'input' });
const object = (properties: Record<string, unknown>, rest: Record<string, unknown> = {}) => ({
  type: 'object',
  properties,
  ...rest,
});

describe('fromJsonSchema()', () => {
  it('L9: makes raw JSON Schema an input', async () => {
    const tool = defineTool({
      name: 'x',
      description: 'A tool',
      input: fromJsonSchema<{ a: string }>(object({ a: { type: 'string' } }, { required: ['a'] })),
      execute: ({ a }) => a,
    });
    expect(tool.execute({ a: 'b' }, { toolCallId: 'call_1', messages: [] })).toBe('b');
  });

  it('is carried as it is, without $schema', () => {
    const schema = object(
      { a: { type: 'string', description: 'The a', examples: ['x'] } },
      { additionalProperties: false },
    );
    const read7 = read({ $schema: 'http://json-schema.org/draft-07/schema#', ...schema });
    expect(read7.jsonSchema).toEqual(schema);
  });

  it('copies enumerable string keys only (TypeBox hangs symbols on its schemas)', () => {
    const schema = {
      ...object({ a: { type: 'string', [Symbol.for('TypeBox.Kind')]: 'String' } }),
      [Symbol.for('TypeBox.Kind')]: 'Object',
    };
    const { jsonSchema } = read(schema);
    expect(Object.getOwnPropertySymbols(jsonSchema)).toEqual([]);
    expect(jsonSchema).toEqual({ type: 'object', properties: { a: { type: 'string' } } });
  });

  it('is not affected by a later change of the schema', async () => {
    const schema = object({ a: { type: 'string' } });
    const input = fromJsonSchema(schema);
    schema.properties.a = { type: 'number' };
    const { jsonSchema, parse } = toToolSchema(input, { toolName: 'x', role: 'input' });
    expect(jsonSchema).toEqual(object({ a: { type: 'string' } }));
    expect(await parse({ a: 'text' })).toMatchObject({ ok: true });
  });

  it('accepts null where the schema lists it, and nowhere else', async () => {
    const schema = read(
      object({
        a: { type: ['string', 'null'] },
        b: { type: 'string' },
        c: { anyOf: [{ type: 'number' }, { type: 'null' }] },
      }),
    );
    expect(await schema.parse({ a: null, b: 'x', c: null })).toMatchObject({ ok: true });
    expect(await schema.parse({ b: null })).toEqual({ ok: false, issues: [{ path: 'b', message: 'must be string' }] });
  });

  it('passes values on as they are: nothing is coerced, filled in or removed', async () => {
    const value = { a: 'x', extra: 1 };
    const result = await read(object({ a: { type: 'string' }, b: { type: 'number', default: 3 } })).parse(value);
    expect(result).toEqual({ ok: true, value: { a: 'x', extra: 1 } });
    expect(await read(object({ n: { type: 'number' } })).parse({ n: '7' })).toMatchObject({ ok: false });
  });

  it.each([
    ['a missing property', object({ a: {} }, { required: ['a'] }), {}, { path: 'a', message: 'Required' }],
    ['an unknown key', object({}, { additionalProperties: false }), { b: 1 }, { path: 'b', message: 'Unknown key' }],
    ['an enum', object({ a: { enum: ['x', 'y'] } }), { a: 'z' }, { path: 'a', message: 'Must be one of ["x","y"]' }],
    [
      'a nested path',
      object({ a: { type: 'array', items: { type: 'number' } } }),
      { a: [1, 'x'] },
      { path: 'a.1', message: 'must be number' },
    ],
    [
      'a key with a slash',
      object({ 'a/b~c': { type: 'number' } }),
      { 'a/b~c': 'x' },
      { path: 'a/b~c', message: 'must be number' },
    ],
    [
      'the whole value',
      object({}, { minProperties: 1 }),
      {},
      { path: '(root)', message: 'must NOT have fewer than 1 properties' },
    ],
  ])('L33: names the path of %s', async (_what, schema, value, issue) => {
    expect(await read(schema).parse(value)).toEqual({ ok: false, issues: [issue] });
  });

  it('gives every issue at once', async () => {
    const result = await read(object({ a: { type: 'string' }, b: { type: 'string' } })).parse({ a: 1, b: 2 });
    expect(result).toMatchObject({ issues: [{ path: 'a' }, { path: 'b' }] });
  });

  it.each([
    ['an unknown type', object({ a: { type: 'strin' } }), /not valid JSON Schema: .*type/],
    ['a bad keyword value', object({ a: { type: 'string', minLength: -1 } }), /not valid JSON Schema: .*minLength/],
    ['a bad pattern', object({ a: { type: 'string', pattern: '(' } }), /not valid JSON Schema/],
    ['a reference that leads nowhere', object({ a: { $ref: '#/definitions/none' } }), /not valid JSON Schema: .*none/],
    ['a remote reference', object({ a: { $ref: 'https://example.com/schema.json' } }), /not valid JSON Schema/],
  ])('throws for %s', (_what, schema, message) => {
    expect(() => fromJsonSchema(schema)).toThrow(message);
  });

  it.each([{ type: 'string' }, { type: ['object', 'null'] }, { properties: {} }, { type: 'array', items: {} }])(
    'L10: throws for the root %j',
    (schema) => {
      expect(() => fromJsonSchema(schema)).toThrow(/root must have type "object"/);
    },
  );

  it.each([null, undefined, 'object', [[]]])('throws for %j', (schema) => {
    expect(() => fromJsonSchema(schema as unknown as Record<string, unknown>)).toThrow(/pass an object/);
  });

  it('resolves references inside the schema', async () => {
    const schema = read(
      object(
        { a: { $ref: '#/definitions/text' }, b: { $ref: '#/$defs/number' } },
        { definitions: { text: { type: 'string' } }, $defs: { number: { type: 'number' } } },
      ),
    );
    expect(await schema.parse({ a: 'x', b: 1 })).toMatchObject({ ok: true });
    expect(await schema.parse({ a: 1, b: 'x' })).toMatchObject({ issues: [{ path: 'a' }, { path: 'b' }] });
  });

  it('two schemas may have the same $id', async () => {
    const first = read({ ...object({ a: { type: 'string' } }), $id: 'https://example.com/tool.json' });
    const second = read({ ...object({ a: { type: 'number' } }), $id: 'https://example.com/tool.json' });
    expect(await first.parse({ a: 'x' })).toMatchObject({ ok: true });
    expect(await second.parse({ a: 'x' })).toMatchObject({ ok: false });
  });

  it('reads 2020-12 keywords where $schema says so', async () => {
    const schema = read({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      ...object({ a: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] } }),
    });
    expect(await schema.parse({ a: ['x', 1] })).toMatchObject({ ok: true });
    expect(await schema.parse({ a: ['x', 'y'] })).toMatchObject({ issues: [{ path: 'a.1' }] });
  });

  it('is silent about unknown keywords and formats', async () => {
    const schema = read(object({ a: { type: 'string', format: 'nonsense', 'x-order': 1 } }));
    expect(await schema.parse({ a: 'anything' })).toMatchObject({ ok: true });
  });
});
