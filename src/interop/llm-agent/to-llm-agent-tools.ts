import { func, object } from '../../checks/kinds.js';
import { checkOptions, shapeOf } from '../../checks/options.js';
import type { ApprovalDecision, ApprovalRequest, ToolHost, ToolListing, ToolOutcome } from '../../host/types.js';
import type { Sandbox, SandboxAdapter } from '../../sandbox/contract.js';
import type { MaybePromise } from '../../tool/context.js';
import { markOriginal } from '../original-tool.js';
import { callOfAgent } from './call-of-agent.js';
import { withRunState } from './current-run.js';
import { outputParts } from './output-parts.js';
import { toLlmParts } from './parts.js';
import type { LlmAgentTool, LlmRunState, LlmToolResult } from './types.js';

export interface ToLlmAgentToolsOptions {
  /** Asked about a call that needs approval: llm-agent cannot pause. Default: the host's own `approve`; without one such a call is rejected. */
  approve?: (request: ApprovalRequest) => MaybePromise<ApprovalDecision>;
  /** Runs `requiresSandbox` tools of a host that has no sandbox of its own. */
  sandbox?: Sandbox | SandboxAdapter;
}

/** What each option is, for those who take them too. */
export const EXPORT_KINDS = { approve: func, sandbox: object };

const OPTIONS = shapeOf<ToLlmAgentToolsOptions>(EXPORT_KINDS);

const NOT_DECIDED =
  'It needs approval, and llm-agent cannot wait for one: give toLlmAgentTools or the host an `approve`';

/**
 * The host's tools as tools of llm-agent: 0.3, and the newer form of its repository. Every call goes through the host;
 * the agent's context is the tools' `ctx.context`, by reference. A failed call is a result with `is_error`, whose text is
 * the host's error as JSON. Only a `PropagatingToolError` is thrown, which ends the agent's run.
 *
 * @throws TypeError for an unknown option
 * @example
 * const agent = new Agent({ name: 'coder', model, tools: toLlmAgentTools(host) });
 */
export function toLlmAgentTools<Context = unknown>(
  host: ToolHost,
  options: ToLlmAgentToolsOptions = {},
): (LlmAgentTool<Context> & { type: 'function' })[] {
  checkOptions('toLlmAgentTools', options, OPTIONS);
  return host.tools().map((listing) => exportTool(host, listing, options));
}

function exportTool<Context>(
  host: ToolHost,
  { name, description, inputSchema }: ToolListing,
  options: ToLlmAgentToolsOptions,
): LlmAgentTool<Context> & { type: 'function' } {
  const tool = {
    type: 'function' as const,
    name,
    description,
    parameters: inputSchema,
    execute: (args: unknown, context: Context, state: LlmRunState) =>
      withRunState(state, () => call(host, { name, args, context, state }, options)),
  };
  return markOriginal(tool, host.registry.get(name) ?? {});
}

async function call(
  host: ToolHost,
  { name, args, context, state }: { name: string; args: unknown; context: unknown; state: LlmRunState },
  { approve, sandbox }: ToLlmAgentToolsOptions,
): Promise<LlmToolResult> {
  const { toolCallId, messages } = callOfAgent(state, name);
  const outcome = await host.call(
    { toolName: name, args, ...(toolCallId === undefined ? {} : { toolCallId }) },
    {
      messages,
      ...(context === undefined ? {} : { context }),
      ...(state?.signal === undefined ? {} : { signal: state.signal }),
      ...(approve === undefined ? {} : { approve }),
      ...(sandbox === undefined ? {} : { sandbox }),
    },
  );
  if (outcome.status !== 'awaiting-approval') return toResult(host, outcome, args);
  const decision = { decision: 'reject' as const, note: NOT_DECIDED };
  return toResult(host, await host.approvals.resolve(outcome.approval.id, decision), args);
}

async function toResult(host: ToolHost, outcome: ToolOutcome, input: unknown): Promise<LlmToolResult> {
  if (outcome.status === 'ok') {
    const parts = await outputParts(host.registry.get(outcome.toolName), outcome, input);
    return { content: toLlmParts(parts), is_error: false };
  }
  const said = outcome.status === 'error' ? outcome.error : outcome.approval;
  // What an imported tool said of its failure stays as it said it.
  const parts = outcome.status === 'error' ? outcome.content : undefined;
  return { content: toLlmParts(parts ?? [{ type: 'text', text: JSON.stringify(said) }]), is_error: true };
}
