import type { Sandbox } from '../../../src/sandbox/contract.js';
import { isSandboxError, type SandboxError } from '../../../src/sandbox/errors.js';
import type { ToolExecutionContext } from '../../../src/tool/context.js';

interface CallableTool<Result> {
  readonly name: string;
  readonly input: { parse(args: unknown): unknown };
  sandboxExecute?(args: never, sandbox: Sandbox, context: ToolExecutionContext): Result;
}

/** Calls a tool as a host does: arguments parsed, then its sandbox side. */
export async function callTool<Result>(
  tool: CallableTool<Result>,
  args: unknown,
  sandbox: Sandbox,
  signal?: AbortSignal,
): Promise<Exclude<Awaited<Result>, AsyncGenerator>> {
  const { sandboxExecute } = tool;
  if (sandboxExecute === undefined) throw new Error(`'${tool.name}' has no sandbox side`);
  const context = { toolCallId: 'call-1', toolName: tool.name, messages: [], ...(signal && { abortSignal: signal }) };
  return (await sandboxExecute(tool.input.parse(args) as never, sandbox, context)) as Exclude<
    Awaited<Result>,
    AsyncGenerator
  >;
}

/** The `SandboxError` that a call rejects with. */
export async function refusal(call: Promise<unknown>): Promise<SandboxError> {
  const error = await call.then(
    (value) => new Error(`Expected a refusal, got ${JSON.stringify(value)}`),
    (caught: unknown) => caught,
  );
  if (!isSandboxError(error)) throw error;
  return error;
}
