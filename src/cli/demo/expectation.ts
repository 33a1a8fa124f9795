import type { ToolOutcome } from '../../host/types.js';
import type { ToolErrorKind } from '../../tool/result.js';

/** What a step of the demo must come to. */
export type Expectation =
  /** It succeeds, and `shows` says what must be in its output. */
  | { is: 'ok'; shows?: RegExp }
  /** It is an error of this kind, and of this code where one is given. */
  | { is: 'error'; kind: ToolErrorKind; code?: string }
  /** Denied, refused as an error, or a command that failed: whatever the way, it did not get through. */
  | { is: 'refused' }
  /** The command was ended for this cause. */
  | { is: 'stopped'; cause: string }
  | { is: 'awaiting-approval' };

/** `undefined` when the outcome is what was expected; else what is wrong, for a person. */
export function mismatch(outcome: ToolOutcome, expectation: Expectation): string | undefined {
  switch (expectation.is) {
    case 'ok':
      return okMismatch(outcome, expectation.shows);
    case 'error':
      return errorMismatch(outcome, expectation);
    case 'refused':
      return isRefused(outcome) ? undefined : 'it got through';
    case 'stopped':
      return causeOf(outcome) === expectation.cause
        ? undefined
        : `cause ${causeOf(outcome)} instead of ${expectation.cause}`;
    case 'awaiting-approval':
      return outcome.status === 'awaiting-approval' ? undefined : `${outcome.status} instead of awaiting-approval`;
  }
}

/** How an outcome is called in the demo's table. */
export function outcomeLabel(outcome: ToolOutcome): string {
  if (outcome.status === 'awaiting-approval') return 'awaiting approval';
  if (outcome.status === 'error')
    return outcome.error.code ? `${outcome.error.kind}: ${outcome.error.code}` : outcome.error.kind;
  const cause = causeOf(outcome);
  if (cause !== undefined) return `stopped: ${cause}`;
  const exitCode = exitCodeOf(outcome.output);
  return exitCode === undefined || exitCode === 0 ? 'ok' : `ok, exit ${exitCode}`;
}

function okMismatch(outcome: ToolOutcome, shows: RegExp | undefined): string | undefined {
  if (outcome.status !== 'ok') return `${outcomeLabel(outcome)} instead of ok`;
  if (causeOf(outcome) !== undefined || (exitCodeOf(outcome.output) ?? 0) !== 0)
    return `${outcomeLabel(outcome)} instead of ok`;
  if (shows && !shows.test(textOf(outcome.output))) return `the output does not show ${shows}`;
  return undefined;
}

function errorMismatch(outcome: ToolOutcome, expected: { kind: ToolErrorKind; code?: string }): string | undefined {
  const wanted = expected.code ? `${expected.kind}: ${expected.code}` : expected.kind;
  const same =
    outcome.status === 'error' &&
    outcome.error.kind === expected.kind &&
    (expected.code === undefined || outcome.error.code === expected.code);
  return same ? undefined : `${outcomeLabel(outcome)} instead of ${wanted}`;
}

function isRefused(outcome: ToolOutcome): boolean {
  if (outcome.status === 'error') return outcome.error.kind === 'denied' || outcome.error.kind === 'execution';
  return outcome.status === 'ok' && (exitCodeOf(outcome.output) ?? 0) !== 0;
}

function causeOf(outcome: ToolOutcome): string | undefined {
  if (outcome.status !== 'ok' || typeof outcome.output !== 'object' || outcome.output === null) return undefined;
  return 'cause' in outcome.output && typeof outcome.output.cause === 'string' ? outcome.output.cause : undefined;
}

function exitCodeOf(output: unknown): number | undefined {
  if (typeof output !== 'object' || output === null || !('exitCode' in output)) return undefined;
  return typeof output.exitCode === 'number' ? output.exitCode : undefined;
}

function textOf(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}
