import { isSandboxError } from '../sandbox/errors.js';
import { carriedContent, carriedResult, isCarriedToolError } from '../tool/carried-error.js';
import type { ContentPart } from '../tool/content.js';
import { toolErrorResult } from '../tool/error-result.js';
import { isPropagatingToolError } from '../tool/propagating-error.js';
import type { ToolErrorResult } from '../tool/result.js';
import { Aborted } from './abort.js';
import { about, type CallState, type HostParts, type ParsedCall } from './call-state.js';
import { redactError } from './redact.js';
import { notRun, Refusal } from './refusal.js';
import type { ApprovalRequest, ToolOutcome } from './types.js';

export interface Failure {
  error: ToolErrorResult;
  content?: ContentPart[];
  /** What was thrown, as it was: for the program's own eyes. */
  cause?: unknown;
}

/** How a call ended, before it is an outcome. */
export type CallEnd = { output: unknown } | Failure | { approval: ApprovalRequest };

/** The last station: the outcome, and the event that says so. */
export function finish(parts: HostParts, call: CallState, end: CallEnd): ToolOutcome {
  const outcome = outcomeOf(call, withoutSecrets(parts, end));
  parts.events.emit(() => {
    const { status, isError, durationMs } = outcome;
    const failure = outcome.status === 'error' ? outcome.error : undefined;
    return {
      type: 'call.finished',
      ...about(call),
      status,
      isError,
      ...(failure === undefined ? {} : { kind: failure.kind }),
      ...(failure?.code === undefined ? {} : { code: failure.code }),
      durationMs,
      ...('cause' in end ? { cause: end.cause } : {}),
    };
  });
  return outcome;
}

/** What a command wrote is its own; what failed is told without what the sandbox was given. */
function withoutSecrets({ secrets }: HostParts, end: CallEnd): CallEnd {
  if (!('error' in end)) return end;
  const { clean } = secrets;
  return clean === undefined ? end : { ...end, error: redactError(end.error, clean) };
}

/** The outcome of a call, as callers and post hooks see it. */
export function outcomeOf(call: CallState, end: CallEnd): ToolOutcome {
  const { toolCallId, toolName, startedAt, decision } = call;
  const base = {
    toolCallId,
    toolName,
    durationMs: performance.now() - startedAt,
    ...(decision === undefined ? {} : { decision }),
  };
  if ('approval' in end) return { status: 'awaiting-approval', isError: false, approval: end.approval, ...base };
  if ('error' in end) {
    const { error, content } = end;
    return { status: 'error', isError: true, error, ...(content === undefined ? {} : { content }), ...base };
  }
  return { status: 'ok', isError: false, output: end.output, ...base };
}

/**
 * How a call failed; `undefined` when it failed because it was aborted.
 * @throws PropagatingToolError, after the event that the call is over
 */
export function failureOf(parts: HostParts, call: CallState, error: unknown): Failure | undefined {
  if (error instanceof Refusal) return { error: error.result };
  if (isPropagatingToolError(error)) {
    finish(parts, call, { error: toolErrorResult({ toolName: call.toolName, error }), cause: error });
    throw error;
  }
  if (error instanceof Aborted || call.options.signal?.aborted === true) return undefined;
  if (isCarriedToolError(error)) {
    const content = carriedContent(error);
    const told = cleaned(parts, call, carriedResult(call.toolName, error));
    return { error: told, cause: error, ...(content === undefined ? {} : { content }) };
  }
  const result = toolErrorResult({ toolName: call.toolName, error, redact: parts.secrets.clean });
  if (result.kind === 'sandbox') parts.sandbox?.noticeFailure(result);
  return { error: isSandboxError(error) ? result : cleaned(parts, call, result), cause: error };
}

/** What a sandbox says names no place of the host already. */
function cleaned({ clean }: HostParts, call: CallState, result: ToolErrorResult): ToolErrorResult {
  const runsInSandbox = 'tool' in call && (call as ParsedCall).tool.requiresSandbox;
  return { ...result, message: clean(result.message, !runsInSandbox) };
}

/** It was aborted before its tool ran. */
export function notStarted({ toolName }: CallState): Refusal {
  return notRun(toolName, 'the run was aborted before it started', 'aborted');
}
