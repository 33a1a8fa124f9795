import { carriedResult, isCarriedToolError } from '../tool/carried-error.js';
import type { ContentPart } from '../tool/content.js';
import { toolErrorResult } from '../tool/error-result.js';
import { isPropagatingToolError } from '../tool/propagating-error.js';
import type { ToolErrorResult } from '../tool/result.js';
import { Aborted } from './abort.js';
import { about, type CallState, type HostParts } from './call-state.js';
import { notRun, Refusal } from './refusal.js';
import type { ApprovalRequest, ToolOutcome } from './types.js';

/** How a call ended, before it is an outcome. */
export type CallEnd =
  | { output: unknown }
  | { error: ToolErrorResult; content?: ContentPart[] }
  | { approval: ApprovalRequest };

/** The last station: the outcome, and the event that says so. */
export function finish(parts: HostParts, call: CallState, end: CallEnd): ToolOutcome {
  const outcome = outcomeOf(call, end);
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
    };
  });
  return outcome;
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
  if ('error' in end) return { status: 'error', isError: true, ...end, ...base };
  return { status: 'ok', isError: false, output: end.output, ...base };
}

/**
 * The error of a failed call; `undefined` when it failed because it was aborted.
 * @throws PropagatingToolError, after the event that the call is over
 */
export function failureOf(parts: HostParts, call: CallState, error: unknown): ToolErrorResult | undefined {
  if (error instanceof Refusal) return error.result;
  if (isPropagatingToolError(error)) {
    finish(parts, call, { error: toolErrorResult({ toolName: call.toolName, error }) });
    throw error;
  }
  if (error instanceof Aborted || call.options.signal?.aborted === true) return undefined;
  if (isCarriedToolError(error)) return carriedResult(call.toolName, error);
  const result = toolErrorResult({ toolName: call.toolName, error });
  if (result.kind === 'sandbox') parts.sandbox?.noticeFailure(result);
  return result;
}

/** It was aborted before its tool ran. */
export function notStarted({ toolName }: CallState): Refusal {
  return notRun(toolName, 'the run was aborted before it started', 'aborted');
}
