import type { ToolOutcome } from '../../host/types.js';
import { color } from '../terminal/color.js';
import { escapeTerminal } from '../terminal/escape.js';
import type { StepReport } from './demo-report.js';
import { outcomeLabel } from './expectation.js';

/** The lines above the first step. */
export function headText(workspace: string): string {
  return [
    color.bold('Caisson demo: every call below goes through one pipeline into a V8 isolate in its own process'),
    color.dim(`workspace ${workspace} (a copy, laid over: nothing is written to it), memory limit 256 MiB`),
  ].join('\n');
}

/** A chapter's heading, with the columns under it. */
export function chapterText(heading: string): string {
  const columns = `  ${'call'.padEnd(58)}${'decision'.padEnd(10)}${'outcome'.padEnd(26)}${'time'.padStart(9)}`;
  return `\n${color.bold(heading)}\n${color.dim(columns)}`;
}

/** One call in one line; a second one says what went otherwise than it should. */
export function stepText({ step, outcome, wrong }: StepReport): string {
  const mark = wrong === undefined ? color.green('✓') : color.red('✗');
  const call = `${step.tool} ${shortArgs(step.args)}`;
  const line = `${mark} ${cut(call, 56).padEnd(58)}${decisionLabel(outcome).padEnd(10)}${outcomeLabel(outcome).padEnd(26)}${duration(outcome.durationMs)}`;
  return wrong === undefined ? line : `${line}\n  ${color.red(`${step.title}: ${escapeTerminal(wrong)}`)}`;
}

function decisionLabel(outcome: ToolOutcome): string {
  return outcome.decision?.effect ?? '-';
}

function shortArgs(args: unknown): string {
  const values = Object.entries(args as Record<string, unknown>).flatMap(([name, value]) =>
    name === 'timeout_ms' ? [] : [value],
  );
  return escapeTerminal(values.join(' ')).replaceAll('\n', '\\n');
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

function duration(ms: number): string {
  return `${ms.toFixed(1)} ms`.padStart(9);
}
