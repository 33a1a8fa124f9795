import type { Decision } from '../permissions/rules/rule.js';
import { readArguments } from '../tool/arguments.js';
import { createApprovalRequest } from './approvals.js';
import { finish } from './call-end.js';
import { emitDecided, watchSecrets } from './call-pipeline.js';
import { about, contextOf, type HostParts, type ParsedCall, startCall } from './call-state.js';
import { decisionOn, emitDecision } from './decide.js';
import { denied, rejected } from './refusal.js';
import type { CallOptions, OutsideRejection, ReviewOptions, ToolCall } from './types.js';

/** The decision alone: the call takes no further step. @throws PropagatingToolError, and what `needsApproval` throws */
export async function reviewCall(
  parts: HostParts,
  raw: ToolCall,
  { recordDenial = false, ...options }: ReviewOptions,
): Promise<Decision | undefined> {
  const call = await readCall(parts, raw, options);
  if (call === undefined) return undefined;
  const decision = await decisionOn(parts, call);
  if (decision.effect !== 'deny' || !recordDenial) return decision;
  call.decision = decision;
  emitRead(parts, call);
  emitDecision(parts, call, decision);
  finish(parts, call, { error: denied(call.toolName, decision).result });
  return decision;
}

/** The events of a call that was rejected, with what asked about it where something still asks. It never runs. */
export async function recordRejection(
  parts: HostParts,
  raw: ToolCall,
  { answer, options }: { answer: OutsideRejection; options: CallOptions },
): Promise<void> {
  const call = await readCall(parts, raw, options);
  if (call === undefined) return;
  // A predicate that fails now does not undo what a person said.
  const decision = await decisionOn(parts, call).catch(() => undefined);
  call.approvalId = answer.approvalId;
  emitRead(parts, call);
  if (decision?.effect === 'ask') {
    call.decision = decision;
    emitDecision(parts, call, decision);
  }
  const { note } = answer;
  const decided = { decision: 'reject' as const, ...(note === undefined ? {} : { note }) };
  emitDecided(parts, call, createApprovalRequest(call, parts.approvals.ttlMs), decided);
  finish(parts, call, { error: rejected(call.toolName, note).result });
}

/** `undefined` for a call that no tool would take. */
async function readCall(parts: HostParts, raw: ToolCall, options: CallOptions): Promise<ParsedCall | undefined> {
  const started = startCall(raw, options);
  const tool = parts.registry.resolve(started.toolName);
  if (tool === undefined) return undefined;
  const read = readArguments(started.rawArgs);
  const parsed = read.ok ? await tool.schema.parse(read.value) : read;
  if (!parsed.ok) return undefined;
  return Object.assign(started, { tool, args: parsed.value, ctx: contextOf(parts, started) });
}

function emitRead(parts: HostParts, call: ParsedCall): void {
  watchSecrets(parts, call);
  parts.events.emit(() => ({ type: 'call.started', ...about(call) }));
  parts.events.emit(() => ({ type: 'call.parsed', ...about(call), args: call.args }));
}
