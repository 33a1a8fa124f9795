import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { jsonSchema as aiJsonSchema, asSchema, zodSchema } from 'ai';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { z as z3 } from 'zod3';
import { z as z34 } from 'zod3/v4';
import * as mini34 from 'zod3/v4-mini';
import { fromJsonSchema } from '../../../src/tool/from-json-schema.js';
import { PropagatingToolError } from '../../../src/tool/propagating-error.js';
import { toToolSchema } from '../../../src/tool/schema.js';

const forInput = { toolName: 'x', role: 'input' } as const;
const forOutput = { toolName: 'x', role: 'output' } as const;

const read = (schema: unknown) => toToolSchema(schema, forInput);

/** The same schema in every library: a required string and a number with at least 1. */
const everyLibrary: Record<string, unknown> = {
  'zod 4': z.object({ city: z.string(), days: z.number().min(1) }),
  'zod 4 mini': mini.object({ city: mini.string(), days: mini.number().check(mini.minimum(1)) }),
  'zod 3.25/v4': z34.object({ city: z34.string(), days: z34.number().min(1) }),
  'zod 3.25/v4-mini': mini34.object({ city: mini34.string(), days: mini34.number().check(mini34.minimum(1)) }),
  'zod 3': z3.object({ city: z3.string(), days: z3.number().min(1) }),
  ArkType: type({ city: 'string', days: 'number >= 1' }),
  Valibot: toStandardJsonSchema(v.object({ city: v.string(), days: v.pipe(v.number(), v.minValue(1)) })),
  'fromJsonSchema()': fromJsonSchema({
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'number', minimum: 1 } },
    required: ['city', 'days'],
  }),
  'AI SDK jsonSchema()': aiJsonSchema({
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'number', minimum: 1 } },
    required: ['city', 'days'],
  }),
  'AI SDK zodSchema()': zodSchema(z.object({ city: z.string(), days: z.number().min(1) })),
};

describe.each(Object.entries(everyLibrary))('L6, L7, L8: an input of %s', (_library, schema) => {
  it('is said as draft-07 JSON Schema without $schema', () => {
    const { jsonSchema } = read(schema);
    expect(jsonSchema).toMatchObject({
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'number', minimum: 1 } },
    });
    expect(jsonSchema.required).toEqual(expect.arrayContaining(['city', 'days']));
    expect(jsonSchema).not.toHaveProperty('$schema');
    expect(Object.getOwnPropertySymbols(jsonSchema)).toEqual([]);
  });

  it('accepts arguments that match', async () => {
    expect(await read(schema).parse({ city: 'Oslo', days: 3 })).toEqual({ ok: true, value: { city: 'Oslo', days: 3 } });
  });

  it('gives an issue with the path of each argument that does not', async () => {
    const result = await read(schema).parse({ days: 0 });
    if (result.ok) throw new Error('It was accepted');
    expect(result.issues.map(({ path }) => path).sort()).toEqual(['city', 'days']);
    for (const { message } of result.issues) expect(message).not.toBe('');
  });

  it.each([null, 'Oslo', 7, undefined])('refuses %j at (root)', async (value) => {
    expect(await read(schema).parse(value)).toMatchObject({ ok: false, issues: [{ path: '(root)' }] });
  });

  it('refuses a list', async () => {
    expect(await read(schema).parse([])).toMatchObject({ ok: false });
  });

  it('is converted once', () => {
    expect(read(schema)).toBe(read(schema));
  });
});

it('a consumer that writes into the JSON Schema changes nothing for the next one', () => {
  const schema = read(z.object({ a: z.string() }));
  schema.jsonSchema.additionalProperties = false;
  expect(schema.jsonSchema).not.toHaveProperty('additionalProperties');
});

describe('parsing', () => {
  it.each([
    ['zod 4', z.object({ n: z.coerce.number().default(3), s: z.string().transform((text) => text.length) })],
    ['zod 3', z3.object({ n: z3.coerce.number().default(3), s: z3.string().transform((text) => text.length) })],
    [
      'Valibot',
      toStandardJsonSchema(
        v.object({
          n: v.optional(v.number(), 3),
          s: v.pipe(
            v.string(),
            v.transform((text) => text.length),
          ),
        }),
      ),
    ],
    ['ArkType', type({ n: 'number = 3', s: type('string').pipe((text) => text.length) })],
  ])('L30: %s applies defaults, coercions and transforms', async (_library, schema) => {
    expect(await read(schema).parse({ s: 'abc' })).toEqual({ ok: true, value: { n: 3, s: 3 } });
  });

  it('L7: the JSON Schema is that of what the model sends, not of what a transform gives', () => {
    const { jsonSchema } = read(z.object({ n: z.number().default(3), s: z.string().transform((text) => text.length) }));
    expect(jsonSchema).toMatchObject({
      properties: { n: { type: 'number', default: 3 }, s: { type: 'string' } },
      required: ['s'],
    });
  });

  it.each([
    ['zod 4', z],
    ['zod 3', z3 as unknown as typeof z],
  ])('L31, L32: %s awaits an asynchronous refinement and runs it once', async (_library, zod) => {
    let runs = 0;
    const schema = zod.object({
      id: zod.string().refine(async (id) => {
        runs += 1;
        await Promise.resolve();
        return id === 'known';
      }, 'Unknown id'),
    });
    expect(await read(schema).parse({ id: 'known' })).toEqual({ ok: true, value: { id: 'known' } });
    expect(runs).toBe(1);
    expect(await read(schema).parse({ id: 'other' })).toEqual({
      ok: false,
      issues: [{ path: 'id', message: 'Unknown id' }],
    });
  });

  it('L33: a path is dot-joined through lists and objects', async () => {
    const result = await read(z.object({ a: z.array(z.object({ b: z.number() })) })).parse({
      a: [{ b: 1 }, { b: 'x' }],
    });
    expect(result).toMatchObject({ ok: false, issues: [{ path: 'a.1.b' }] });
  });

  it('L33: an issue with the whole value is at (root)', async () => {
    const schema = z.object({ a: z.number(), b: z.number() }).refine(({ a, b }) => a < b, 'a must be below b');
    expect(await read(schema).parse({ a: 2, b: 1 })).toEqual({
      ok: false,
      issues: [{ path: '(root)', message: 'a must be below b' }],
    });
  });

  it('L33: path segments of a Standard Schema may be objects', async () => {
    const schema = toStandardJsonSchema(v.object({ a: v.object({ b: v.array(v.string()) }) }));
    expect(await read(schema).parse({ a: { b: ['x', 1] } })).toMatchObject({ issues: [{ path: 'a.b.1' }] });
  });

  it('L8: issues beside a value mean failure (Valibot gives both)', async () => {
    const schema = toStandardJsonSchema(v.object({ a: v.pipe(v.string(), v.minLength(3)) }));
    expect(await schema['~standard'].validate({ a: 'x' })).toHaveProperty('value');
    expect(await read(schema).parse({ a: 'x' })).toMatchObject({ ok: false, issues: [{ path: 'a' }] });
  });

  it('a schema that throws is an issue, not a rejection', async () => {
    const schema = z.object({ a: z.string().transform(() => JSON.parse('{')) });
    expect(await read(schema).parse({ a: 'x' })).toMatchObject({
      ok: false,
      issues: [{ path: '(root)', message: expect.stringContaining('The schema failed to check this value') }],
    });
  });

  it('L44: a PropagatingToolError thrown by a schema propagates', async () => {
    const stop = new PropagatingToolError('Stop');
    const schema = z.object({
      a: z.string().refine(() => {
        throw stop;
      }),
    });
    await expect(read(schema).parse({ a: 'x' })).rejects.toBe(stop);
  });

  it('shows a model at most 50 issues, and says how many are left', async () => {
    const result = await read(z.object({ a: z.array(z.number()) })).parse({
      a: Array.from({ length: 1000 }, () => 'x'),
    });
    if (result.ok) throw new Error('It was accepted');
    expect(result.issues).toHaveLength(51);
    expect(result.issues.at(-1)).toEqual({ path: '(root)', message: '950 more issues are not shown' });
  });

  it.each(['NaN', '1e400', '-Infinity'])('zod refuses the number %s', async (text) => {
    expect(await read(z.object({ n: z.number() })).parse({ n: Number(text) })).toMatchObject({
      issues: [{ path: 'n' }],
    });
  });
});

describe('hostile arguments', () => {
  const schema = z.looseObject({});

  it.each([
    ['{"__proto__":{"admin":true}}', '__proto__'],
    ['{"a":[{"__proto__":null}]}', 'a.0.__proto__'],
    ['{"constructor":{"prototype":{"admin":true}}}', 'constructor'],
    ['{"\\u005f_proto__":{"admin":true}}', '__proto__'],
  ])('the key that pollutes prototypes in %s is an issue', async (text, path) => {
    expect(await read(schema).parse(JSON.parse(text))).toMatchObject({ ok: false, issues: [{ path }] });
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it.each(['{"constructor":"ACME"}', '{"prototype":{}}', '{"toString":1}'])('the harmless %s passes', async (text) => {
    expect(await read(schema).parse(JSON.parse(text))).toEqual({ ok: true, value: JSON.parse(text) });
  });

  it('inherited names do not satisfy a required argument', async () => {
    const named = fromJsonSchema({
      type: 'object',
      properties: { toString: { type: 'string' } },
      required: ['toString'],
    });
    expect(await read(named).parse({})).toMatchObject({ ok: false, issues: [{ path: 'toString' }] });
  });

  it('100,000 nested lists are an issue, not a stack overflow', async () => {
    const nested: unknown = JSON.parse(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    expect(await read(schema).parse(nested)).toEqual({
      ok: false,
      issues: [{ path: '(root)', message: 'The value is nested deeper than 200 levels' }],
    });
  });

  it('a cycle given in process does not hang', async () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(await read(schema).parse(cycle)).toMatchObject({ ok: true });
  });

  it('a member that throws when it is read is an issue', async () => {
    const trap = Object.defineProperty({}, 'a', {
      enumerable: true,
      get: () => {
        throw new Error('Trap');
      },
    });
    expect(await read(schema).parse(trap)).toMatchObject({ ok: false, issues: [{ path: '(root)' }] });
  });
});

describe('what is no supported input', () => {
  it.each([
    ['plain Valibot', v.object({ a: v.string() }), /toStandardJsonSchema\(\)/],
    ['raw JSON Schema', { type: 'object', properties: {} }, /fromJsonSchema\(schema\)/],
    ['undefined', undefined, /it is missing/],
    ['null', null, /it is missing/],
    ['a number', 7, /a number of no known schema library/],
    ['a function', () => 1, /a function of no known schema library/],
    ['a class', class Weather {}, /a function of no known schema library/],
    ['a list', [z.string()], /an object of no known schema library/],
    ['an empty object', {}, /an object of no known schema library/],
    ['an unresolved AI SDK schema', aiJsonSchema(Promise.resolve({ type: 'object' as const })), /Resolve it first/],
  ])('L9: %s is refused, naming the tool and the fix', (_what, schema, fix) => {
    expect(() => read(schema)).toThrow(fix);
    expect(() => read(schema)).toThrow(/Cannot define tool 'x'/);
  });

  it('L9: the message asks for a zod schema', () => {
    expect(() => read({ type: 'object' })).toThrow(/zod schema as 'input'/);
  });

  it.each([
    ['a string', z.string(), /type "string"/],
    ['a list', z.array(z.string()), /type "array"/],
    ['a union', z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), /'anyOf' without a type/],
    ['a zod 3 string', z3.string(), /type "string"/],
    ['an ArkType string', type('string'), /type "string"/],
    ['an AI SDK string', aiJsonSchema({ type: 'string' }), /type "string"/],
    ['anything', z.any(), /no type/],
  ])('L10: %s as the root is refused', (_what, schema, message) => {
    expect(() => read(schema)).toThrow(message);
    expect(() => read(schema)).toThrow(/z\.object\(\{ value: … \}\)/);
  });

  it('an output may have any root', async () => {
    expect(toToolSchema(z.string(), forOutput).jsonSchema).toEqual({ type: 'string' });
    expect(await toToolSchema(z.string(), forOutput).parse(7)).toMatchObject({ ok: false });
  });

  it('an output is described after its transforms, an input before', () => {
    const schema = z.object({ n: z.string().pipe(z.transform(Number)).pipe(z.number()) });
    expect(read(schema).jsonSchema).toMatchObject({ properties: { n: { type: 'string' } } });
    expect(toToolSchema(schema, forOutput).jsonSchema).toMatchObject({ properties: { n: { type: 'number' } } });
  });

  it.each([
    ['a date', z.date(), /z\.coerce\.date\(\)/],
    ['a BigInt', z.bigint(), /z\.coerce\.bigint\(\)/],
    ['a Map', z.map(z.string(), z.string()), /z\.record\(\)/],
    ['a class', z.instanceof(URL), /custom type/],
    ['a symbol', z.symbol(), /symbol/],
  ])('L21: %s inside an input is refused with a fix', (_what, part, message) => {
    expect(() => read(z.object({ part }))).toThrow(message);
    expect(() => read(z.object({ part }))).toThrow(/Cannot define tool 'x'/);
  });

  it('L7: a coerced date is what it is coerced from', async () => {
    const schema = read(z.object({ at: z.coerce.date() }));
    expect(schema.jsonSchema).toMatchObject({ properties: { at: { type: 'string', format: 'date-time' } } });
    expect(await schema.parse({ at: '2026-01-02T00:00:00Z' })).toEqual({
      ok: true,
      value: { at: new Date(Date.UTC(2026, 0, 2)) },
    });
  });
});

describe('recursive and repeated schemas', () => {
  it('L7: an input with an id of its own is written as the root', () => {
    const place = z.object({ city: z.string() }).meta({ id: 'Place', title: 'A place' });
    const { jsonSchema } = read(place);
    expect(jsonSchema).toMatchObject({ type: 'object', title: 'A place', properties: { city: { type: 'string' } } });
    expect(jsonSchema).not.toHaveProperty('definitions');
    const tree = z
      .object({
        get children() {
          return z.array(tree);
        },
        at: place,
      })
      .meta({ id: 'Tree' });
    expect(read(tree).jsonSchema).toMatchObject({
      type: 'object',
      definitions: { Place: { title: 'A place' }, Tree: { type: 'object' } },
    });
  });

  it('L7: a recursive zod 4 schema keeps its reference', async () => {
    const tree = z.object({
      name: z.string(),
      get children() {
        return z.array(tree);
      },
    });
    expect(JSON.stringify(read(tree).jsonSchema)).toContain('"$ref":"#"');
    expect(await read(tree).parse({ name: 'a', children: [{ name: 'b', children: [{ name: 1 }] }] })).toMatchObject({
      issues: [{ path: 'children.0.children.0.name' }, { path: 'children.0.children.0.children' }],
    });
  });

  it('L6: a recursive zod 3 schema keeps its reference', () => {
    interface Tree {
      children: Tree[];
    }
    const tree: z3.ZodType<Tree> = z3.lazy(() => z3.object({ children: z3.array(tree) }));
    expect(JSON.stringify(read(z3.object({ root: tree })).jsonSchema)).toContain('$ref');
  });

  it('L6: a zod 3 schema used twice is written twice, without references', () => {
    const point = z3.object({ x: z3.number() });
    const { jsonSchema } = read(z3.object({ from: point, to: point }));
    expect(jsonSchema).toMatchObject({ properties: { to: { properties: { x: { type: 'number' } } } } });
    expect(JSON.stringify(jsonSchema)).not.toContain('$ref');
  });

  it('L6: a zod 3 object leaves additionalProperties open unless it is strict, as zod 4 does', () => {
    expect(read(z3.object({})).jsonSchema).not.toHaveProperty('additionalProperties');
    expect(read(z.object({})).jsonSchema).not.toHaveProperty('additionalProperties');
    expect(read(z3.object({}).strict()).jsonSchema).toHaveProperty('additionalProperties', false);
    expect(read(z.strictObject({})).jsonSchema).toHaveProperty('additionalProperties', false);
  });

  it('L6: a zod 3 object with a refinement around it is an object', () => {
    expect(read(z3.object({ a: z3.string() }).refine(() => true)).jsonSchema).toMatchObject({ type: 'object' });
  });
});

describe('AI SDK schemas', () => {
  it('L92: the issues of the schema inside asSchema() reach the caller', async () => {
    expect(await read(asSchema(z.object({ a: z.string() }))).parse({ a: 1 })).toMatchObject({
      issues: [{ path: 'a' }],
    });
    expect(await read(asSchema(type({ a: 'string' }))).parse({ a: 1 })).toMatchObject({ issues: [{ path: 'a' }] });
  });

  it('L92: a validate() that only says no gives an issue at (root)', async () => {
    const schema = aiJsonSchema({ type: 'object' }, { validate: () => ({ success: false, error: new Error('No') }) });
    expect(await read(schema).parse({})).toEqual({ ok: false, issues: [{ path: '(root)', message: 'No' }] });
  });

  it('L92: the value of validate() is what runs', async () => {
    const schema = aiJsonSchema({ type: 'object' }, { validate: async () => ({ success: true, value: { b: 2 } }) });
    expect(await read(schema).parse({ a: 1 })).toEqual({ ok: true, value: { b: 2 } });
  });

  it('L92: a lazy schema is made once', () => {
    let made = 0;
    const lazy = () => {
      made += 1;
      return aiJsonSchema({ type: 'object' });
    };
    expect(read(lazy).jsonSchema).toEqual({ type: 'object' });
    read(lazy);
    expect(made).toBe(1);
  });
});
