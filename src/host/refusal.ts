import { whatInstead } from '../permissions/decision/what-instead.js';
import type { Decision } from '../permissions/rules/rule.js';
import type { ErrorCode } from '../sandbox/errors.js';
import { isRetryable } from '../sandbox/errors.js';
import { toolErrorResult } from '../tool/error-result.js';
import type { ToolErrorKind, ToolErrorResult, ValidationIssue } from '../tool/result.js';

/** Private control flow: a station ends the call with this error. Never leaves the pipeline. */
export class Refusal extends Error {
  readonly result: ToolErrorResult;

  constructor(result: ToolErrorResult) {
    super(result.message);
    this.result = result;
  }
}

interface ErrorParts {
  kind: ToolErrorKind;
  message: string;
  code?: ErrorCode;
  details?: Record<string, unknown>;
}

/** A call that ends in an error of the host's own. */
export function refusal(toolName: string, { kind, message, code, details }: ErrorParts): Refusal {
  const coded = code === undefined ? details : { ...details, code, retryable: isRetryable(code) };
  return new Refusal(
    toolErrorResult({ toolName, error: message, kind, ...(coded === undefined ? {} : { details: coded }) }),
  );
}

export function notFound(toolName: string, nearest: string | undefined): Refusal {
  const hint = nearest === undefined ? 'call one of the tools that are listed' : `did you mean '${nearest}'?`;
  return refusal(toolName, {
    kind: 'not-found',
    message: `Tool '${toolName}' not found: ${hint}`,
    code: 'unknown_tool',
  });
}

export function invalidArguments(toolName: string, issues: readonly ValidationIssue[]): Refusal {
  const message = `Invalid arguments for tool '${toolName}': ${listIssues(issues)}`;
  return refusal(toolName, { kind: 'validation', message, code: 'invalid_input', details: { issues } });
}

/** What was decided goes to the model whole, so that it does not try the next spelling. */
export function denied(toolName: string, decision: Decision): Refusal {
  const { rule, certainty, part, why, enforcement } = decision;
  const by = rule === undefined ? 'by the default of the policy' : `by '${rule.text}'`;
  const what =
    part === undefined ? '' : ` ('${part.text}'${part.via === undefined ? '' : ` through ${part.via.join(', ')}`})`;
  const doubt = certainty === 'could be' ? `, which could not be ruled out${why === undefined ? '' : ` (${why})`}` : '';
  const reason = rule?.reason === undefined ? '' : `: ${rule.reason}`;
  const instead = whatInstead(decision, toolName);
  return refusal(toolName, {
    kind: 'denied',
    message: `Permission denied ${by}${what}${doubt}${reason}`,
    code: 'permission_denied',
    details: {
      ...(rule?.reason === undefined ? {} : { reason: rule.reason }),
      ...(rule === undefined ? {} : { rule: { text: rule.text, source: rule.source } }),
      ...(part === undefined ? {} : { part }),
      certainty,
      ...(enforcement === undefined ? {} : { enforcement }),
      ...(instead === undefined ? {} : { instead }),
    },
  });
}

export function rejected(toolName: string, note: string | undefined): Refusal {
  return refusal(toolName, {
    kind: 'rejected',
    message: 'Tool execution was rejected by the reviewer',
    ...(note === undefined ? {} : { details: { note } }),
  });
}

/** Nobody answered before the approval expired. */
export function expired(toolName: string): Refusal {
  return refusal(toolName, {
    kind: 'rejected',
    message: 'Nobody decided in time, so the approval of this call expired: call the tool again to ask anew',
    code: 'permission_ask_timeout',
  });
}

export function notRun(toolName: string, why: string, code?: ErrorCode): Refusal {
  return refusal(toolName, {
    kind: 'not-run',
    message: `Tool '${toolName}' did not run: ${why}`,
    ...(code === undefined ? {} : { code }),
  });
}

export function aborted(toolName: string): Refusal {
  const error = Object.assign(new Error(`Tool '${toolName}' was aborted`), { name: 'AbortError', code: 'aborted' });
  return new Refusal(toolErrorResult({ toolName, error, kind: 'execution' }));
}

export function invalidOutput(toolName: string, issues: readonly ValidationIssue[]): Refusal {
  const error = Object.assign(new Error(`Invalid output of tool '${toolName}': ${listIssues(issues)}`), {
    name: 'ToolOutputValidationError',
  });
  return new Refusal(toolErrorResult({ toolName, error, kind: 'execution' }));
}

function listIssues(issues: readonly ValidationIssue[]): string {
  const listed = issues.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return `${issues.length} ${issues.length === 1 ? 'issue' : 'issues'} (${listed})`;
}
