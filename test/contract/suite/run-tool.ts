import type { Sandbox } from '../../../src/sandbox/contract.js';
import type { ToolExecutionContext } from '../../../src/tool/context.js';
import { codingTools } from '../../../src/tools/coding-tools.js';

/** Every built-in tool. */
export const TOOLS: readonly RunnableTool[] = codingTools();

interface RunnableTool {
  readonly name: string;
  readonly input: { parse(args: unknown): unknown };
  sandboxExecute?(args: never, sandbox: Sandbox, context: ToolExecutionContext): unknown;
}

/** Runs a built-in tool as a host does, without one: arguments parsed once, then its sandbox side. */
export async function runTool(
  tools: readonly RunnableTool[],
  toolName: string,
  args: unknown,
  sandbox: Sandbox,
): Promise<Record<string, unknown>> {
  const tool = tools.find(({ name }) => name === toolName);
  if (tool?.sandboxExecute === undefined) throw new Error(`There is no tool '${toolName}' with a sandbox side`);
  const context = { toolCallId: 'contract', toolName, messages: [] };
  const result = await tool.sandboxExecute(tool.input.parse(args) as never, sandbox, context);
  return result as Record<string, unknown>;
}
