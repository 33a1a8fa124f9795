/**
 * Type tests of the tool model: they hold when `tsc -p .` compiles this file. Nothing here runs.
 */
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { jsonSchema as aiJsonSchema, tool as aiTool, type ToolExecutionOptions, type ToolSet } from 'ai';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { z as z3 } from 'zod3';
import { z as z34 } from 'zod3/v4';
import type { RunResult, Sandbox } from '../../src/sandbox/contract.js';
import type { ToolExecutionContext } from '../../src/tool/context.js';
import { type DefinedTool, defineTool, type ToolInput, type ToolOutput } from '../../src/tool/define-tool.js';
import { fromJsonSchema } from '../../src/tool/from-json-schema.js';
import { ToolRegistry, type ToolsOption } from '../../src/tool/registry.js';
import { type Equal, expectType } from './expect-type.js';

const base = { name: 'ok', description: 'A tool' } as const;

// L25: the parsed type of every supported library.
const parsed = defineTool({
  ...base,
  input: z.object({
    n: z.coerce.number().default(3),
    s: z.string().transform((text) => text.length),
    o: z.string().optional(),
  }),
  needsApproval: (args, call) => {
    expectType<Equal<typeof args, { n: number; s: number; o?: string | undefined }>>();
    expectType<Equal<typeof call.toolName, string>>();
    // @ts-expect-error - the tool has no such argument
    void args.nope;
    return args.n > 3;
  },
  async execute(args, ctx) {
    expectType<Equal<typeof args, { n: number; s: number; o?: string | undefined }>>();
    expectType<Equal<typeof ctx, ToolExecutionContext>>();
    // @ts-expect-error - the tool has no such argument
    void args.nope;
    return { sum: args.n + args.s };
  },
});
expectType<Equal<ToolInput<typeof parsed>, { n: number; s: number; o?: string | undefined }>>();
expectType<Equal<ToolOutput<typeof parsed>, { sum: number }>>();

const inMini = defineTool({ ...base, input: mini.object({ a: mini.string() }), execute: ({ a }) => a });
expectType<Equal<ToolInput<typeof inMini>, { a: string }>>();

const inZod3 = defineTool({
  ...base,
  input: z3.object({ n: z3.coerce.number().default(3), s: z3.string().transform((text) => text.length) }),
  execute: (args) => args.n + args.s,
});
expectType<Equal<ToolInput<typeof inZod3>, { n: number; s: number }>>();

const inZod34 = defineTool({ ...base, input: z34.object({ a: z34.string().default('x') }), execute: ({ a }) => a });
expectType<Equal<ToolInput<typeof inZod34>, { a: string }>>();

const inArkType = defineTool({ ...base, input: type({ a: 'string' }), execute: ({ a }) => a });
expectType<Equal<ToolInput<typeof inArkType>, { a: string }>>();

const inValibot = defineTool({
  ...base,
  input: toStandardJsonSchema(v.object({ a: v.optional(v.string(), 'x') })),
  execute: ({ a }) => a,
});
expectType<Equal<ToolInput<typeof inValibot>, { a: string }>>();

const inJsonSchema = defineTool({
  ...base,
  input: fromJsonSchema<{ a: string }>({ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }),
  execute: ({ a }) => a,
});
expectType<Equal<ToolInput<typeof inJsonSchema>, { a: string }>>();

const inAiSchema = defineTool({
  ...base,
  input: aiJsonSchema<{ a: string }>({ type: 'object' }),
  execute: ({ a }) => a,
});
expectType<Equal<ToolInput<typeof inAiSchema>, { a: string }>>();

// L26, L27: the result type.
const sync = defineTool({ ...base, input: z.object({}), execute: () => 42 });
expectType<Equal<ToolOutput<typeof sync>, number>>();

const streaming = defineTool({
  ...base,
  input: z.object({}),
  async *execute() {
    yield { done: 1 };
    return 'ignored';
  },
});
expectType<Equal<ToolOutput<typeof streaming>, { done: number }>>();

const streamValue = defineTool({ ...base, input: z.object({}), execute: () => new ReadableStream<string>() });
expectType<Equal<ToolOutput<typeof streamValue>, ReadableStream<string>>>();

const sandboxed = defineTool({
  ...base,
  input: z.object({ path: z.string() }),
  requiresSandbox: true,
  execute(): never {
    throw new Error('Never runs on the host');
  },
  async sandboxExecute({ path }, sandbox, ctx) {
    expectType<Equal<typeof path, string>>();
    expectType<Equal<typeof sandbox, Sandbox>>();
    expectType<Equal<typeof ctx, ToolExecutionContext>>();
    return sandbox.run('cat', [path]);
  },
});
expectType<Equal<ToolOutput<typeof sandboxed>, RunResult>>();

const sandboxedStream = defineTool({
  ...base,
  input: z.object({}),
  requiresSandbox: true,
  execute: () => 'host' as const,
  async *sandboxExecute(_args, sandbox) {
    yield sandbox.cwd;
  },
});
expectType<Equal<ToolOutput<typeof sandboxedStream>, string>>();

// L28: examples are what the model would send, not what `execute` gets.
defineTool({
  ...base,
  input: z.object({ n: z.string().transform(Number) }),
  execute: ({ n }) => n + 1,
  inputExamples: [{ input: { n: '7' } }],
  annotations: { readOnlyHint: true },
});
defineTool({
  ...base,
  input: z.object({ n: z.string().transform(Number) }),
  execute: ({ n }) => n + 1,
  // @ts-expect-error - the model sends a string
  inputExamples: [{ input: { n: 7 } }],
});

// L66: a function of two parameters, and of one, is a `sandboxExecute`.
defineTool({
  ...base,
  input: z.object({ path: z.string() }),
  execute: () => 1,
  sandboxExecute: async ({ path }: { path: string }, sandbox: Sandbox) => sandbox.writeFile(path, ''),
});
defineTool({
  ...base,
  input: z.object({ path: z.string() }),
  execute: () => 1,
  sandboxExecute: async ({ path }) => path,
});

// L15: every outcome of `needsApproval`, and nothing else.
defineTool({ ...base, input: z.object({ a: z.string() }), execute: () => 1, needsApproval: true });
defineTool({
  ...base,
  input: z.object({ a: z.string() }),
  execute: () => 1,
  needsApproval: async ({ a }) => a === 'x',
});
defineTool({
  ...base,
  input: z.object({ a: z.string() }),
  execute: () => 1,
  needsApproval: ({ a }, { toolName, toolCallId, messages, sessionId }) => {
    if (messages.length > 0 || sessionId === toolCallId) return 'ask';
    if (toolName === a) return 'approve';
    return a === 'y' ? 'deny' : { deny: 'Not on a Sunday' };
  },
});
// @ts-expect-error - 'perhaps' is no verdict
defineTool({ ...base, input: z.object({}), execute: () => 1, needsApproval: () => 'perhaps' });

// L9: what is no supported schema does not compile.
// @ts-expect-error - plain Valibot cannot say itself as JSON Schema
defineTool({ ...base, input: v.object({ a: v.string() }), execute: () => 1 });
// @ts-expect-error - raw JSON Schema goes through fromJsonSchema()
defineTool({ ...base, input: { type: 'object' }, execute: () => 1 });
// @ts-expect-error - input is required
defineTool({ ...base, execute: () => 1 });
// @ts-expect-error - execute is required
defineTool({ ...base, input: z.object({}) });
// @ts-expect-error - unknown option
defineTool({ ...base, input: z.object({}), execute: () => 1, outputs: z.object({}) });
defineTool({
  ...base,
  input: z.object({ a: z.string() }),
  // @ts-expect-error - `a` is a string, not a number
  execute: ({ a }: { a: number }) => a,
});

// L22: the descriptor's fields keep their types.
expectType<Equal<typeof sync.input, typeof sync.inputSchema>>();
expectType<Equal<typeof sync.inputSchema, typeof sync.tool.parameters>>();
export const anyTool: DefinedTool = parsed;
export const anyTools: DefinedTool[] = [parsed, inMini, inZod3, inZod34, inArkType, inValibot, streaming, sandboxed];

// L60, L62, L65: the context.
export const smallest: ToolExecutionContext = { toolCallId: 'call_1', messages: [] };
// @ts-expect-error - toolCallId is always there
export const withoutId: ToolExecutionContext = { messages: [] };
export function mutate(ctx: ToolExecutionContext): void {
  // @ts-expect-error - messages are read-only
  ctx.messages.push('x');
}

// L67: the AI SDK's options are a context, and a function written for them is an `execute`.
declare const aiOptions: ToolExecutionOptions;
export const fromAi: ToolExecutionContext = aiOptions;
defineTool({
  ...base,
  input: z.object({ a: z.string() }),
  execute: async ({ a }: { a: string }, { toolCallId, messages, abortSignal }: ToolExecutionOptions) =>
    `${a} ${toolCallId} ${messages.length} ${abortSignal?.aborted}`,
});

// L92, L94: what a registry takes.
const ai = aiTool({ description: 'x', inputSchema: z.object({ a: z.string() }), execute: async ({ a }) => a });
const registry = new ToolRegistry();
registry.register(parsed);
registry.register('ai', ai);
registry.register('legacy', { displayName: 'Old', tool: { parameters: z.object({}), execute: () => 1 } });
registry.register(
  'v4',
  { description: 'x', parameters: z.object({}), execute: async (_args: object) => 1 },
  { replace: true },
);
registry.registerMany([parsed, [sync, { other: ai }], { mine: parsed }]);
registry.registerMany({ parsed, ai });
// @ts-expect-error - an AI SDK tool has no name of its own
registry.register(ai);
export const options: ToolsOption[] = [parsed, [parsed, sync], { parsed, ai }, registry, [[registry], { ai }]];
const byName: Record<string, DefinedTool> = { parsed };
const aiTools: ToolSet = { ai };
export const collections: ToolsOption[] = [anyTools, byName, aiTools];
// @ts-expect-error - a string is no tool
export const notTools: ToolsOption = 'parsed';
