import type { ToolOutcome } from '../host/types.js';

/** What a script can rely on; `caisson --help` and docs/cli.md list the same numbers. */
export const EXIT = {
  ok: 0,
  /** The call ended as an error of the tool, its arguments or its name. */
  failed: 1,
  usage: 2,
  /** A rule denied it, a person rejected it, or it still waits for approval. */
  refused: 3,
  /** The sandbox could not start, or died. */
  unavailable: 4,
  interrupted: 130,
} as const;

/** The exit code that tells a script what became of one call. */
export function exitCodeOf(outcome: ToolOutcome): number {
  if (outcome.status === 'ok') return wasEnded(outcome) ? EXIT.failed : EXIT.ok;
  if (outcome.status === 'awaiting-approval') return EXIT.refused;
  const { kind } = outcome.error;
  if (kind === 'denied' || kind === 'rejected') return EXIT.refused;
  if (kind === 'sandbox') return EXIT.unavailable;
  return EXIT.failed;
}

/** Whether a command was ended (`timeout`, `oom`, …) before it could end by itself. */
export function wasEnded(outcome: ToolOutcome): boolean {
  if (outcome.status !== 'ok' || typeof outcome.output !== 'object' || outcome.output === null) return false;
  return 'exitCode' in outcome.output && outcome.output.exitCode === null;
}

/** Of `caisson policy check` and `explain`: the exit code is the decision. */
export const DECISION_EXIT = { allow: 0, deny: 3, ask: 5 } as const;

/** Written under `caisson --help`. */
export const EXIT_CODE_HELP = `Exit codes:
  0    the call succeeded (for shell: the exit code of the last command)
  1    the call failed: the tool, its arguments or its name, or its command was ended
  2    the command line is wrong; nothing ran
  3    denied by a rule, rejected, or waiting for approval
  4    the sandbox could not start, or died
  5    policy check and explain: the policy asks (0 it allows, 3 it denies)
  130  interrupted (Ctrl-C); 143 and 129 for SIGTERM and SIGHUP`;
