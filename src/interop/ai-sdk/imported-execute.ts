import type { Sandbox } from '../../sandbox/contract.js';
import { CarriedToolError } from '../../tool/carried-error.js';
import type { ToolExecutionContext } from '../../tool/context.js';
import { isToolStream } from '../../tool/stream.js';
import { isErrorValue } from './error-value.js';
import type { FromAiSdkToolOptions } from './from-ai-sdk-tool.js';
import type { InputCallbacks } from './input-callbacks.js';
import { parseContext } from './parse-context.js';
import { toAiSdkSandbox } from './to-ai-sdk-sandbox.js';
import type { AnyAiSdkTool } from './types.js';

interface Imported {
  name: string;
  tool: AnyAiSdkTool;
  options: FromAiSdkToolOptions;
  input: InputCallbacks;
}

/** Runs an imported tool in this process. */
export function executeImported(imported: Imported) {
  return (args: unknown, ctx: ToolExecutionContext): Promise<unknown> => {
    const sandbox = imported.options.sandbox === 'pass' ? ctx.sandbox : undefined;
    return run(imported, args, { ctx, sandbox });
  };
}

/** The same, with the sandbox that the host started for the call. */
export function executeImportedInSandbox(imported: Imported) {
  return (args: unknown, sandbox: Sandbox, ctx: ToolExecutionContext): Promise<unknown> =>
    run(imported, args, { ctx, sandbox });
}

async function run(
  { name, tool, options, input }: Imported,
  args: unknown,
  { ctx, sandbox }: { ctx: ToolExecutionContext; sandbox: Sandbox | undefined },
): Promise<unknown> {
  if (tool.execute === undefined) throw clientSide(name);
  const given = 'context' in options ? options.context : ctx.context;
  const context = await parseContext(name, tool.contextSchema, given);
  const told = {
    toolCallId: ctx.toolCallId,
    messages: [...ctx.messages],
    ...(ctx.abortSignal === undefined ? {} : { abortSignal: ctx.abortSignal }),
    context,
    experimental_context: context,
  };
  // Input callbacks are not shown the sandbox.
  await input.available(args, told);
  const withSandbox = { ...told, experimental_sandbox: sandbox === undefined ? undefined : toAiSdkSandbox(sandbox) };
  const output = await snapshots(tool.execute(args as never, withSandbox as never));
  if (isErrorValue(output)) throw new CarriedToolError(output);
  return output;
}

/**
 * The AI SDK streams any iterable that `execute` returns at once, a `ReadableStream` among them; the host knows
 * generators.
 */
function snapshots(started: unknown): unknown {
  if (typeof started !== 'object' || started === null) return started;
  if (isToolStream(started)) return withErrors(started[Symbol.asyncIterator]());
  return Symbol.asyncIterator in started ? drain(started as AsyncIterable<unknown>) : started;
}

/** Whoever leaves reaches the stream itself at once, even while it makes its next snapshot. */
function withErrors(stream: AsyncIterator<unknown>): AsyncIterableIterator<unknown> {
  return {
    async next() {
      const step = await stream.next();
      if (isErrorValue(step.value)) throw new CarriedToolError(step.value);
      return step;
    },
    return: async (value?: unknown) => (await stream.return?.(value)) ?? { done: true, value },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function* drain(stream: AsyncIterable<unknown>): AsyncGenerator<unknown, void, undefined> {
  yield* stream;
}

function clientSide(name: string): Error {
  const message = `Tool '${name}' has no 'execute': its caller runs it. Take the call out of the turn and answer it there`;
  return Object.assign(new Error(message), { name: 'ClientSideToolError' });
}
