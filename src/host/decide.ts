import { applyMode } from '../permissions/modes.js';
import type { CallContext } from '../permissions/policy.js';
import type { Decision } from '../permissions/rules/rule.js';
import { readApprovalVerdict } from '../tool/approval.js';
import { newApprovalId, pinArguments } from './approvals.js';
import { about, type CallState, type HostParts, type ParsedCall } from './call-state.js';
import { denied } from './refusal.js';

/** Rules first; a tool's own `needsApproval` where they left it open; the mode's verdict last. */
export async function decide(parts: HostParts, call: ParsedCall): Promise<void> {
  call.decision = await decisionOn(parts, call);
  // The record of the question names the approval that answers it.
  if (call.decision.effect === 'ask') call.approvalId = newApprovalId();
  emitDecision(parts, call, call.decision);
  if (call.decision.effect === 'deny') throw denied(call.toolName, call.decision);
}

/** The decision alone: nothing is told, and the call takes no further step. */
export async function decisionOn(parts: HostParts, call: ParsedCall): Promise<Decision> {
  const byRules = await decideByRules(parts, call);
  const byTool = byRules.effect === 'deny' ? undefined : await askTool(call, byRules);
  return applyMode(byTool ?? byRules, parts.mode(), modeView(call));
}

/** Rules and mode may have changed while a person was thinking: an approval never lifts a deny. */
export async function decideAgain(parts: HostParts, call: ParsedCall): Promise<void> {
  const byRules = await decideByRules(parts, call);
  const decision = applyMode(byRules, parts.mode(), modeView(call));
  // Under `dontAsk` a question is refused; this one was answered.
  const isQuestion = decision.rule?.source === 'permissionMode' && parts.mode() === 'dontAsk';
  if (decision.effect !== 'deny' || isQuestion) return;
  deny(parts, call, decision);
}

async function decideByRules(parts: HostParts, call: ParsedCall): Promise<Decision> {
  const { sessionId } = call.options;
  const where = { ...whereItRuns(parts, call), ...(sessionId === undefined ? {} : { sessionId }) };
  const links = where.backend?.name === 'none' ? await parts.links?.() : undefined;
  return parts.policy.decide(call, links === undefined ? where : { ...where, links });
}

/** A tool that runs on the host has no sandbox to hold its paths. */
function whereItRuns({ backend, sandbox }: HostParts, { tool }: ParsedCall): CallContext {
  if (!tool.requiresSandbox) return { backend: { name: 'none', workspaceMode: backend.workspaceMode } };
  // `auto` has chosen once it runs.
  const chosen = backend.name === 'docker' && sandbox?.sandbox.name === 'isolate';
  const unenforced = sandbox?.unenforced ?? [];
  return {
    backend: chosen ? { ...backend, name: 'isolate' } : backend,
    ...(unenforced.length === 0 ? {} : { unenforced }),
  };
}

function modeView({ tool }: ParsedCall): { name: string; readOnly: boolean } {
  return { name: tool.name, readOnly: tool.annotations?.readOnlyHint === true };
}

/** An explicit rule answers the tool's question; the policy's default does not. A tool's own refusal always holds. */
async function askTool(
  { tool, args, ctx, toolName, toolCallId, options }: ParsedCall,
  byRules: Decision,
): Promise<Decision | undefined> {
  const { needsApproval } = tool;
  if (needsApproval === undefined || needsApproval === false) return undefined;
  const { sessionId } = options;
  const verdict =
    needsApproval === true
      ? readApprovalVerdict(true)
      : readApprovalVerdict(
          // A copy: rules have decided on these arguments, and a predicate must not make others of them.
          await needsApproval(pinArguments(args), {
            toolName,
            toolCallId,
            messages: ctx.messages,
            ...(sessionId === undefined ? {} : { sessionId }),
            ...('context' in ctx ? { context: ctx.context } : {}),
          }),
        );
  const reason = verdict.reason === undefined ? {} : { reason: verdict.reason };
  const rule = { text: 'needsApproval', source: `tool ${tool.name}`, ...reason };
  if (verdict.effect === 'deny') return { effect: 'deny', rule, certainty: 'yes' };
  const isOpen = byRules.effect === 'allow' && byRules.rule === undefined;
  return verdict.effect === 'ask' && isOpen ? { effect: 'ask', rule, certainty: 'yes' } : undefined;
}

/** The tool's own refusal is a deny like any other: no approval lifts it. */
export async function refuseByTool(parts: HostParts, call: ParsedCall): Promise<void> {
  const decision = await askTool(call, { effect: 'allow', certainty: 'yes' });
  if (decision?.effect !== 'deny') return;
  deny(parts, call, decision);
}

/** @throws Refusal always, once the decision is told */
export function deny(parts: HostParts, call: ParsedCall, decision: Decision): never {
  call.decision = decision;
  emitDecision(parts, call, decision);
  throw denied(call.toolName, decision);
}

export function emitDecision(parts: HostParts, call: CallState, decision: Decision): void {
  const { approvalId } = call;
  parts.events.emit(() => ({
    type: 'decision',
    ...about(call),
    decision,
    mode: parts.mode(),
    ...(approvalId === undefined ? {} : { approvalId }),
  }));
}
