import { isDeepStrictEqual } from 'node:util';
import { nearestOf } from '../checks/nearest.js';
import { SandboxCrashedError, SandboxNotConfiguredError, SandboxRequiredError } from '../sandbox/errors.js';
import { readArguments } from '../tool/arguments.js';
import type { ResolvedTool } from '../tool/descriptor.js';
import { toJsonSafe } from '../tool/json-safe.js';
import { Aborted, untilAborted } from './abort.js';
import { createApprovalRequest, type PendingApproval, pinArguments, serialisable } from './approvals.js';
import { askInTime } from './ask-in-time.js';
import { type CallEnd, failureOf, finish, notStarted, outcomeOf } from './call-end.js';
import { about, type CallState, contextOf, type HostParts, type ParsedCall, startCall } from './call-state.js';
import { decide, decideAgain, deny, refuseByTool } from './decide.js';
import { aborted, expired, invalidArguments, invalidOutput, notFound, notRun, rejected } from './refusal.js';
import { runTool } from './run-tool.js';
import type { ApprovalDecision, ApprovalRequest, CallOptions, ToolCall, ToolOutcome } from './types.js';

/** What the gates said: the outcome, or a call that may run. */
export type GateResult = { passed: false; outcome: ToolOutcome } | { passed: true; run: () => Promise<ToolOutcome> };

/**
 * The way of one call, station by station: find tool, parse arguments, pre hooks, permission rules, approval | run,
 * check output, post hooks. The gates are apart from the rest so that a batch can order them.
 * @throws PropagatingToolError from any station
 */
export async function passGates(parts: HostParts, raw: ToolCall, options: CallOptions): Promise<GateResult> {
  const started = startCall(raw, options);
  watchSecrets(parts, started);
  parts.events.emit(() => ({ type: 'call.started', ...about(started) }));
  return throughGates(parts, started, async () => {
    const tool = findTool(parts, started);
    const args = await parseArguments(tool, started.rawArgs);
    const call: ParsedCall = Object.assign(started, { tool, args, ctx: contextOf(parts, started) });
    parts.events.emit(() => ({ type: 'call.parsed', ...about(call), args }));
    // What something outside has asked about: hooks must not put other arguments in its place.
    const approved =
      options.approve === 'approved' ? { args: pinArguments(args), shown: serialisable(args) } : undefined;
    const answer = await runPreHooks(parts, call);
    if (answer !== undefined) return answered(parts, call, answer.result);
    await decide(parts, call);
    requireSandbox(parts, call);
    return seekApproval(parts, call, approved);
  });
}

/** What a call brings is known before anything is told of its arguments. */
export function watchSecrets({ secrets, registry, context }: HostParts, { toolName, options }: CallState): void {
  secrets.watch(options.sandbox);
  secrets.watch(registry.get(toolName));
  secrets.watchContext('context' in options ? options.context : context?.value);
}

/** A deferred call goes on after a person's decision: hooks and rules see it again, and a deny wins. */
export async function resumeCall(
  parts: HostParts,
  { call: pinned, request }: PendingApproval,
  decision: { decision: 'approve' | 'reject'; note?: string; always?: string[] },
): Promise<ToolOutcome> {
  // Hooks get a copy: what they do to it is told from what was approved.
  const call: ParsedCall = {
    ...pinned,
    args: pinArguments(pinned.args),
    startedAt: performance.now(),
    approvalId: request.id,
  };
  emitDecided(parts, call, request, decision);
  const gate = await throughGates(parts, call, async () => {
    if (decision.decision === 'reject') throw rejected(call.toolName, decision.note);
    requireOpen(parts);
    requireSameTool(parts, call);
    const answer = await runPreHooks(parts, call);
    if (answer !== undefined) return answered(parts, call, answer.result);
    requireApproved(call, { args: pinned.args, shown: request.args });
    await decideAgain(parts, call);
    await refuseByTool(parts, call);
    requireSandbox(parts, call);
    rememberAlways(parts, call, decision);
    return passed(parts, call);
  });
  return gate.passed ? gate.run() : gate.outcome;
}

/** A deferred call that nobody decided: it ends as a rejected one does. */
export function expireCall(parts: HostParts, { call: pinned, request }: PendingApproval): void {
  const call: ParsedCall = { ...pinned, startedAt: performance.now(), approvalId: request.id };
  emitDecided(parts, call, request, EXPIRED);
  finish(parts, call, { error: expired(call.toolName).result });
}

/** A call of a batch that never came to its first station. */
export function leaveUnstarted(
  parts: HostParts,
  raw: ToolCall,
  { options, why }: { options: CallOptions; why: string },
): ToolOutcome {
  const call = startCall(raw, options);
  parts.events.emit(() => ({ type: 'call.started', ...about(call) }));
  return finish(parts, call, { error: notRun(call.toolName, why).result });
}

async function throughGates(parts: HostParts, call: CallState, gates: () => Promise<GateResult>): Promise<GateResult> {
  const { signal } = call.options;
  try {
    if (signal?.aborted === true) throw new Aborted();
    return await untilAborted(signal, gates());
  } catch (error) {
    const end = failureOf(parts, call, error) ?? { error: notStarted(call).result };
    return { passed: false, outcome: finish(parts, call, end) };
  }
}

function findTool({ registry, policy }: HostParts, { toolName }: CallState): ResolvedTool {
  const tool = registry.resolve(toolName);
  if (tool !== undefined) return tool;
  const known = registry.list().filter((name) => !policy.isWhollyDenied(name));
  throw notFound(toolName, nearestOf(toolName, known));
}

async function parseArguments(tool: ResolvedTool, raw: unknown): Promise<unknown> {
  const read = readArguments(raw);
  if (!read.ok) throw invalidArguments(tool.name, read.issues);
  const parsed = await tool.schema.parse(read.value);
  if (!parsed.ok) throw invalidArguments(tool.name, parsed.issues);
  return parsed.value;
}

const DISPOSED = 'The host was disposed while the call waited for approval: make a new one and call again';
const NO_HOOK_ANSWER = 'The preCall hook must answer { deny }, { result }, { input } or nothing';

/** `{ input }` is raw input, parsed in place of the first; `{ result }` answers the call. */
async function runPreHooks(parts: HostParts, call: ParsedCall): Promise<{ result: unknown } | undefined> {
  const { preCall } = parts.hooks;
  if (preCall === undefined) return undefined;
  const said = await preCall({ ...about(call), args: call.args });
  if (said === undefined || said === null) return undefined;
  if (typeof said !== 'object') throw new TypeError(NO_HOOK_ANSWER);
  if ('deny' in said) {
    const rule = { text: 'preCall', source: 'hooks', reason: String(said.deny) };
    deny(parts, call, { effect: 'deny', rule, certainty: 'yes' });
  }
  if ('result' in said) return said;
  if (!('input' in said)) throw new TypeError(NO_HOOK_ANSWER);
  const args = await parseArguments(call.tool, said.input);
  call.args = args;
  parts.events.emit(() => ({ type: 'call.parsed', ...about(call), args }));
  return undefined;
}

/** Nobody is asked about a call that cannot run. */
function requireSandbox({ sandbox, workspace }: HostParts, { tool, options }: ParsedCall): void {
  if (!tool.requiresSandbox) return;
  if (tool.sandboxExecute === undefined) {
    throw new SandboxRequiredError(
      `Tool '${tool.name}' requires a sandbox but has no 'sandboxExecute', so it cannot run: add one to the tool`,
    );
  }
  if (sandbox === undefined && options.sandbox === undefined) {
    throw new SandboxNotConfiguredError(
      `Tool '${tool.name}' runs only in a sandbox and this host has none: give createToolHost a 'sandbox', for example 'isolate'${workspace === undefined ? '' : "; 'workspace' alone starts none"}`,
    );
  }
}

async function seekApproval(parts: HostParts, call: ParsedCall, approved: Approved | undefined): Promise<GateResult> {
  if (call.decision?.effect !== 'ask') return passed(parts, call);
  if (approved !== undefined) {
    requireApproved(call, approved);
    const request = createApprovalRequest(call, parts.approvals.ttlMs);
    emitDecided(parts, call, request, APPROVED_OUTSIDE);
    return passed(parts, call);
  }
  call.args = pinArguments(call.args);
  const request = createApprovalRequest(call, parts.approvals.ttlMs);
  parts.events.emit(() => ({ type: 'approval.requested', ...about(call), approval: structuredClone(request) }));
  const approve = typeof call.options.approve === 'function' ? call.options.approve : parts.approve;
  const answer = approve === undefined ? DEFER : await askInTime(approve, request, [parts.closed, call.options.signal]);
  // The caller may have gone meanwhile: then nothing is decided, kept or left waiting.
  if (call.options.signal?.aborted === true) throw new Aborted();
  if (approve !== undefined) emitDecided(parts, call, request, answer ?? EXPIRED);
  if (answer === undefined) throw expired(call.toolName);
  switch (answer.decision) {
    case 'reject':
      throw rejected(call.toolName, answer.note);
    case 'approve':
      requireOpen(parts);
      requireSameTool(parts, call);
      requireApproved(call, { args: call.args, shown: request.args });
      await decideAgain(parts, call);
      rememberAlways(parts, call, answer);
      return passed(parts, call);
    case 'defer':
      parts.approvals.add({ request, call: { ...call } });
      return { passed: false, outcome: finish(parts, call, { approval: structuredClone(request) }) };
  }
}

/** What was approved: the arguments, and what was shown of them, which tells where those that cannot be copied changed. */
interface Approved {
  args: unknown;
  shown: unknown;
}

function requireApproved(call: ParsedCall, { args, shown }: Approved): void {
  if (isDeepStrictEqual(call.args, args) && isDeepStrictEqual(serialisable(call.args), shown)) return;
  throw invalidArguments(call.toolName, [
    { path: '(root)', message: 'A hook changed the arguments after they were approved' },
  ]);
}

/** What waited while the host was disposed does not run, wherever it would. */
function requireOpen({ closed }: HostParts): void {
  if (closed.aborted) throw new SandboxCrashedError(DISPOSED, 'sandbox_disposed');
}

/** Tools of a server come and go: what a person approved was the tool as it was then. */
function requireSameTool({ registry }: HostParts, { tool, toolName }: ParsedCall): void {
  if (registry.resolve(toolName)?.descriptor === tool.descriptor) return;
  throw notRun(toolName, 'the tool changed, or was taken away, after its approval was asked for');
}

function rememberAlways(
  { policy }: HostParts,
  { options }: ParsedCall,
  { decision, always = [] }: ApprovalDecision,
): void {
  if (decision === 'approve' && always.length > 0) policy.allowInSession(always, options.sessionId);
}

const DEFER: ApprovalDecision = { decision: 'defer' };
const EXPIRED: ApprovalDecision = { decision: 'reject', note: 'Nobody decided in time' };
const APPROVED_OUTSIDE: ApprovalDecision = { decision: 'approve', note: 'Approved outside of the host' };

function passed(parts: HostParts, call: ParsedCall): GateResult {
  return {
    passed: true,
    run: () => settle(parts, call, async () => checkOutput(call.tool, await runTool(parts, call))),
  };
}

/** A pre hook's result stands for the tool's: it is checked and seen by post hooks as that one is. */
function answered(parts: HostParts, call: ParsedCall, result: unknown): GateResult {
  return { passed: true, run: () => settle(parts, call, () => checkOutput(call.tool, result)) };
}

async function settle(parts: HostParts, call: ParsedCall, work: () => Promise<unknown>): Promise<ToolOutcome> {
  let end: CallEnd;
  try {
    if (call.options.signal?.aborted === true) throw notStarted(call);
    end = { output: await work() };
  } catch (error) {
    end = endOf(parts, call, error);
  }
  try {
    return finish(parts, call, await runPostHooks(parts, call, end));
  } catch (error) {
    return finish(parts, call, endOf(parts, call, error));
  }
}

function endOf(parts: HostParts, call: ParsedCall, error: unknown): CallEnd {
  return failureOf(parts, call, error) ?? { error: aborted(call.toolName).result };
}

/** The schema checks the value as the tool gave it; what leaves the host is plain JSON. */
async function checkOutput(tool: ResolvedTool, output: unknown): Promise<unknown> {
  if (tool.outputSchema !== undefined) {
    const parsed = await tool.outputSchema.parse(output);
    if (!parsed.ok) throw invalidOutput(tool.name, parsed.issues);
  }
  return toJsonSafe(output);
}

/** Sees failures as well as results; what it answers takes their place. */
async function runPostHooks(parts: HostParts, call: ParsedCall, end: CallEnd): Promise<CallEnd> {
  const { postCall } = parts.hooks;
  if (postCall === undefined) return end;
  const said = await postCall({ ...about(call), args: call.args, outcome: outcomeOf(call, end) });
  return said === undefined || said === null || !('result' in said) ? end : { output: toJsonSafe(said.result) };
}

export function emitDecided(
  parts: HostParts,
  call: CallState,
  request: ApprovalRequest,
  { decision, note, always = [] }: ApprovalDecision,
): void {
  const kept = decision === 'approve' ? always : [];
  parts.events.emit(() => ({
    type: 'approval.decided',
    ...about(call),
    approvalId: request.id,
    decision,
    ...(note === undefined ? {} : { note }),
    ...(kept.length === 0 ? {} : { always: kept }),
  }));
}
