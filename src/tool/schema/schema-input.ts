import type { StandardJsonSchema, StandardSchema } from './standard-schema.js';

/**
 * What a tool takes as `input` and `output`: a zod 4 schema (classic, mini, or `zod@3.25/v4`), a zod 3 schema, a
 * Standard Schema exposing `~standard.jsonSchema` (ArkType, Valibot through `toStandardJsonSchema()`), the result of
 * `fromJsonSchema()`, or of the AI SDK's `jsonSchema()`. Its root must be an object.
 */
export type SchemaInput = StandardJsonSchema | Zod4Schema | Zod3Schema | AiSdkSchema;

interface Zod4Schema extends StandardSchema {
  readonly _zod: unknown;
}

interface Zod3Schema {
  readonly _def: unknown;
  readonly _output: unknown;
  safeParseAsync(value: unknown): Promise<unknown>;
}

/** The result of the AI SDK's `jsonSchema()`, already resolved. */
interface AiSdkSchema {
  readonly _type: unknown;
  readonly jsonSchema: unknown;
}

/** The type a schema gives after parsing: defaults, coercions and transforms applied. */
export type ParsedBy<Schema> = Schema extends { readonly '~standard': { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly output: infer Output }
    ? Output
    : unknown
  : Schema extends { readonly _output: infer Output }
    ? Output
    : Schema extends { readonly _type: infer Output }
      ? Output
      : unknown;

/** The type a schema accepts before parsing. */
export type AcceptedBy<Schema> = Schema extends { readonly '~standard': { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly input: infer Input }
    ? Input
    : unknown
  : Schema extends { readonly _input: infer Input }
    ? Input
    : Schema extends { readonly _type: infer Input }
      ? Input
      : unknown;
