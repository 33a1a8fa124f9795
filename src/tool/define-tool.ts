import type { Sandbox } from '../sandbox/contract.js';
import type { ToolAnnotations } from './annotations.js';
import type { NeedsApproval } from './approval.js';
import { checkToolOptions } from './check-tool-options.js';
import type { ToolExecutionContext } from './context.js';
import type { AcceptedBy, ParsedBy, SchemaInput } from './schema/schema-input.js';
import type { ToolStream } from './stream.js';

/** What a tool gives when it runs: a value, a promise of one, or (`async function*`) complete snapshots of which the last is the result. */
export type ToolReturn<Output> = Output | PromiseLike<Output> | AsyncGenerator<Output, unknown, unknown>;

/** The result behind a return type: awaited; for an async generator, what it yields. */
export type ResultOf<Return> =
  Awaited<Return> extends infer Value ? (Value extends ToolStream<infer Snapshot> ? Snapshot : Value) : never;

export interface DefineToolOptions<Schema extends SchemaInput, Return, SandboxReturn = never> {
  /** What the model calls the tool by: `^[a-zA-Z0-9_-]{1,64}$`. */
  name: string;
  /** What the tool does; the model reads it to decide when to call it. */
  description: string;
  /** Schema of the arguments; its root is an object. */
  input: Schema;
  /** Runs the tool, in this process. Gets parsed arguments and always a real context. */
  execute(args: ParsedBy<Schema>, ctx: ToolExecutionContext): Return;
  /** For people. Default `name`. */
  displayName?: string | undefined;
  /** Whether a person decides before the call runs; a function sees the parsed arguments. Default false. */
  needsApproval?: boolean | NeedsApproval<ParsedBy<Schema>> | undefined;
  /** Run through `sandboxExecute`, and never through `execute`. Default false. */
  requiresSandbox?: boolean | undefined;
  /** Runs the tool inside the host's sandbox; used when `requiresSandbox` is true. */
  sandboxExecute?(args: ParsedBy<Schema>, sandbox: Sandbox, ctx: ToolExecutionContext): SandboxReturn;
  /** Schema of the result, which is checked against it. */
  output?: SchemaInput | undefined;
  /** Hints for clients and people. */
  annotations?: ToolAnnotations | undefined;
  /** Carried to integrations that know it. */
  inputExamples?: readonly { input: AcceptedBy<Schema> }[] | undefined;
  /** Carried to integrations that know it. */
  strict?: boolean | undefined;
  /** Carried to integrations that know it; never shown to tools. */
  providerOptions?: Record<string, unknown> | undefined;
  /** Carried to integrations that know it. */
  metadata?: Record<string, unknown> | undefined;
  /** Carried: the tool changes files. */
  editsFiles?: boolean | undefined;
  /** Carried: the tool may be listed to a model only when it is looked for. */
  deferLoading?: boolean | undefined;
}

/** A tool made by `defineTool()`. It is a regular `ToolDescriptor`. */
export interface DefinedTool<Schema = SchemaInput, Output = unknown, Return = ToolReturn<Output>> {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly input: Schema;
  /** The same schema as `input`. */
  readonly inputSchema: Schema;
  readonly outputSchema?: SchemaInput;
  execute(args: ParsedBy<Schema>, ctx: ToolExecutionContext): Return;
  sandboxExecute?(args: ParsedBy<Schema>, sandbox: Sandbox, ctx: ToolExecutionContext): ToolReturn<Output>;
  readonly requiresSandbox: boolean;
  readonly needsApproval?: boolean | NeedsApproval<ParsedBy<Schema>>;
  readonly annotations?: ToolAnnotations;
  readonly inputExamples?: readonly { input: AcceptedBy<Schema> }[];
  readonly strict?: boolean;
  readonly providerOptions?: Record<string, unknown>;
  readonly metadata?: Record<string, unknown>;
  readonly editsFiles?: boolean;
  readonly deferLoading?: boolean;
  /** Legacy: the tool as an `ai` v4 object. */
  readonly tool: {
    readonly description: string;
    readonly parameters: Schema;
    execute(args: ParsedBy<Schema>, ctx: ToolExecutionContext): Return;
  };
}

/** The arguments a tool gets: the parsed type, with defaults, coercions and transforms applied. */
export type ToolInput<Tool> = Tool extends { readonly inputSchema: infer Schema } ? ParsedBy<Schema> : never;

/** The result of a tool: awaited; for an async generator, what it yields. */
export type ToolOutput<Tool> =
  Tool extends DefinedTool<infer _Schema, infer Output, infer _Return>
    ? Output
    : Tool extends { execute?: ((...args: never[]) => infer Return) | undefined }
      ? ResultOf<Return>
      : never;

/**
 * Defines a typed tool. Everything about it is checked now, not at the first call.
 *
 * @example
 * const weather = defineTool({
 *   name: 'weather',
 *   description: 'Get the weather of a city',
 *   input: z.object({ city: z.string() }),
 *   execute: async ({ city }) => ({ city, temperature: 21 }),
 * });
 *
 * @throws TypeError that says how to fix it: a missing or bad option, an unknown option, an `input` of no supported
 * schema library or whose root is not an object.
 */
export function defineTool<const Schema extends SchemaInput, Return, SandboxReturn = never>(
  options: DefineToolOptions<Schema, Return, SandboxReturn>,
): DefinedTool<Schema, ResultOf<Return> | ResultOf<SandboxReturn>, Return> {
  checkToolOptions(options);
  const { name, description, input, execute, output } = options;
  const tool = {
    name,
    displayName: options.displayName ?? name,
    description,
    input,
    inputSchema: input,
    execute,
    requiresSandbox: options.requiresSandbox ?? false,
    tool: { description, parameters: input, execute },
    ...(output === undefined ? {} : { outputSchema: output }),
  };
  for (const option of CARRIED) {
    if (options[option] !== undefined) Object.assign(tool, { [option]: options[option] });
  }
  return tool;
}

const CARRIED = [
  'needsApproval',
  'sandboxExecute',
  'annotations',
  'inputExamples',
  'strict',
  'providerOptions',
  'metadata',
  'editsFiles',
  'deferLoading',
] as const;
