import type { ToolOutcome } from '../../host/types.js';
import { approvalText } from './approval-text.js';
import { noteColor } from './color.js';
import { escapeTerminal, safeJson } from './escape.js';

/** What goes to stdout (the output itself) and to stderr (what became of the call). */
export interface OutcomeText {
  output: string;
  note: string;
}

/** One call's outcome for a person. */
export function outcomeText(outcome: ToolOutcome, options: { raw: boolean }): OutcomeText {
  const safe = options.raw ? (text: string) => text : escapeTerminal;
  if (outcome.status === 'awaiting-approval') {
    return {
      output: '',
      note: `${approvalText(outcome.approval)}\n${noteColor.yellow('Not run')}: it waits for approval. Run it on a terminal to answer, or pass --allow with a rule that covers it`,
    };
  }
  if (outcome.status === 'error') return { output: '', note: errorText(outcome.error) };
  if (isShellOutput(outcome.output)) return shellText(outcome.output, safe);
  const text = typeof outcome.output === 'string' ? safe(outcome.output) : safeJson(outcome.output, 2);
  return { output: text, note: '' };
}

/** A failed call in two or three lines: what, why, where exactly. */
function errorText(error: Extract<ToolOutcome, { status: 'error' }>['error']): string {
  const code = error.code === undefined ? '' : `, ${error.code}`;
  const lines = [
    `${noteColor.red(error.kind)} ${escapeTerminal(error.toolName)}: ${escapeTerminal(error.message)} ${noteColor.dim(`(${escapeTerminal(error.error)}${code})`)}`,
  ];
  for (const issue of error.issues ?? [])
    lines.push(`  ${escapeTerminal(issue.path)}: ${escapeTerminal(issue.message)}`);
  if (error.reason !== undefined) lines.push(`  reason: ${escapeTerminal(error.reason)}`);
  return lines.join('\n');
}

interface ShellOutput {
  stdout: string;
  stderr: string;
  exitCode: number | null;
  cause?: unknown;
}

function isShellOutput(value: unknown): value is ShellOutput {
  return (
    typeof value === 'object' &&
    value !== null &&
    'stdout' in value &&
    typeof value.stdout === 'string' &&
    'stderr' in value &&
    typeof value.stderr === 'string' &&
    'exitCode' in value
  );
}

function shellText(output: ShellOutput, safe: (text: string) => string): OutcomeText {
  const ended =
    output.cause !== undefined
      ? noteColor.red(`ended by ${escapeTerminal(String(output.cause))}`)
      : output.exitCode === 0
        ? ''
        : noteColor.yellow(`exit code ${output.exitCode}`);
  return { output: safe(output.stdout), note: [safe(output.stderr).trimEnd(), ended].filter(Boolean).join('\n') };
}
