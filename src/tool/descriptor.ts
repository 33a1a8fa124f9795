import type { Sandbox } from '../sandbox/contract.js';
import type { ToolAnnotations } from './annotations.js';
import type { NeedsApproval } from './approval.js';
import type { ToolExecutionContext } from './context.js';
import { type ToolSchema, toToolSchema } from './schema.js';
import { checkToolName } from './tool-name.js';

/**
 * A tool as a caller may hand it over: made by `defineTool()`, by the AI SDK's `tool()` (`parameters` in v4,
 * `inputSchema` since v5), or written by hand. `resolveTool()` gives the one shape the host runs.
 */
export interface ToolDescriptor {
  readonly name?: string | undefined;
  readonly displayName?: string | undefined;
  /** The AI SDK's name for `displayName`. */
  readonly title?: string | undefined;
  /** A function, as in the AI SDK 7, is asked at each listing, with `DescriptionOptions`. */
  readonly description?: string | undefined | ((options: never) => string);
  readonly inputSchema?: unknown;
  /** The AI SDK v4's name for `inputSchema`. */
  readonly parameters?: unknown;
  readonly outputSchema?: unknown;
  execute?: ((...args: never[]) => unknown) | undefined;
  sandboxExecute?: ((...args: never[]) => unknown) | undefined;
  readonly requiresSandbox?: boolean | undefined;
  readonly needsApproval?: boolean | undefined | ((...args: never[]) => unknown);
  readonly annotations?: ToolAnnotations | undefined;
  /** Legacy: read only for what the descriptor itself does not set. */
  readonly tool?: LegacyTool | undefined;
}

/** What a description that is a function is told. */
export interface DescriptionOptions {
  /** The host's; that of a call is not known when tools are listed. */
  readonly context: unknown;
  readonly sandbox: Sandbox | undefined;
}

/** An `ai` v4 tool object. */
export interface LegacyTool {
  readonly description?: string | undefined;
  readonly parameters?: unknown;
  readonly inputSchema?: unknown;
  execute?: ((...args: never[]) => unknown) | undefined;
}

/** The one normalised shape the host runs. Functions keep the `this` of the object they came from. */
export interface ResolvedTool {
  readonly name: string;
  readonly displayName: string;
  /** Throws what a description that is a function throws. */
  readonly describe: (options: DescriptionOptions) => string;
  readonly schema: ToolSchema;
  readonly outputSchema?: ToolSchema;
  /** Absent only for a `requiresSandbox` tool that brings `sandboxExecute` alone. */
  readonly execute?: (args: unknown, ctx: ToolExecutionContext) => unknown;
  readonly sandboxExecute?: (args: unknown, sandbox: Sandbox, ctx: ToolExecutionContext) => unknown;
  readonly requiresSandbox: boolean;
  readonly needsApproval?: boolean | NeedsApproval;
  readonly annotations?: ToolAnnotations;
  /** What was registered, as it was. */
  readonly descriptor: ToolDescriptor;
}

/**
 * Normalises a descriptor under the name it is registered by. The schema and `execute` are each looked for on the
 * descriptor first and in its legacy `.tool` only when it has none of its own.
 * @throws TypeError naming the tool and the fix: a bad name, no schema, no way to run it.
 */
export function resolveTool(name: string, descriptor: ToolDescriptor): ResolvedTool {
  checkToolName(name);
  if (typeof descriptor !== 'object' || descriptor === null) {
    throw new TypeError(`Cannot register tool '${name}': a descriptor is required, such as the result of defineTool()`);
  }
  refuseProviderTool(name, descriptor);
  const displayName = nonEmpty(descriptor.displayName) ?? nonEmpty(descriptor.title) ?? name;
  const execute = methodOf<Execute>(descriptor, 'execute') ?? methodOf<Execute>(descriptor.tool, 'execute');
  const sandboxExecute = methodOf<SandboxExecute>(descriptor, 'sandboxExecute');
  const requiresSandbox = descriptor.requiresSandbox === true;
  if (execute === undefined && !(requiresSandbox && sandboxExecute !== undefined)) throw notRunnable(name);
  const { outputSchema, annotations } = descriptor;
  const needsApproval = approvalOf(descriptor);
  return {
    name,
    displayName,
    // Read at each listing: the description of an imported tool may change.
    describe: (options) => describe(descriptor, options) ?? displayName,
    schema: toToolSchema(inputOf(descriptor), { toolName: name, role: 'input' }),
    requiresSandbox,
    descriptor,
    ...(outputSchema === undefined
      ? {}
      : { outputSchema: toToolSchema(outputSchema, { toolName: name, role: 'output' }) }),
    ...(execute === undefined ? {} : { execute }),
    ...(sandboxExecute === undefined ? {} : { sandboxExecute }),
    ...(needsApproval === undefined ? {} : { needsApproval }),
    ...(annotations === undefined ? {} : { annotations }),
  };
}

type Execute = NonNullable<ResolvedTool['execute']>;
type SandboxExecute = NonNullable<ResolvedTool['sandboxExecute']>;

function inputOf({ inputSchema, parameters, tool }: ToolDescriptor): unknown {
  return inputSchema ?? parameters ?? tool?.inputSchema ?? tool?.parameters;
}

/** Bound to the object it is found on: class-based tools read their own fields. */
function methodOf<Method>(owner: object | undefined | null, key: 'execute' | 'sandboxExecute'): Method | undefined {
  const method: unknown = (owner as Record<string, unknown> | undefined | null)?.[key];
  return typeof method === 'function' ? (method.bind(owner) as Method) : undefined;
}

function approvalOf(descriptor: ToolDescriptor): boolean | NeedsApproval | undefined {
  const { needsApproval } = descriptor;
  if (typeof needsApproval !== 'function') return needsApproval;
  return needsApproval.bind(descriptor) as NeedsApproval;
}

/** Tools of the AI SDK may have none. */
function describe(descriptor: ToolDescriptor, options: DescriptionOptions): string | undefined {
  const { description, tool } = descriptor;
  const own: unknown = typeof description === 'function' ? description.call(descriptor, options as never) : description;
  return nonEmpty(own) ?? nonEmpty(tool?.description);
}

function refuseProviderTool(name: string, descriptor: ToolDescriptor): void {
  const { type, id, isProviderExecuted } = descriptor as { type?: unknown; id?: unknown; isProviderExecuted?: unknown };
  if (
    isProviderExecuted === true ||
    (typeof type === 'string' && type.startsWith('provider') && !hasExecute(descriptor))
  ) {
    throw new TypeError(
      `Cannot register tool '${name}': ${id === undefined ? 'it' : `'${String(id)}'`} runs at the model's provider, not here. Give it to the model call itself`,
    );
  }
}

function hasExecute({ execute }: ToolDescriptor): boolean {
  return typeof execute === 'function';
}

function notRunnable(name: string): TypeError {
  return new TypeError(
    `Cannot register tool '${name}': it has no 'execute' function. Add one, or make the tool with defineTool()`,
  );
}

function nonEmpty(text: unknown): string | undefined {
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}
