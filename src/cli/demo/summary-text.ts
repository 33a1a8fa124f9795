import { color } from '../terminal/color.js';
import { escapeTerminal } from '../terminal/escape.js';
import { type DemoReport, wentWell } from './demo-report.js';

/** The last screen: what a newcomer should take away. */
export function summaryText(report: DemoReport): string {
  const good = report.steps.filter((step) => step.wrong === undefined).length;
  const refused = report.steps.filter((step) => step.step.expect.is !== 'ok').length;
  const fast = median(
    report.steps.filter((step) => step.step.expect.is === 'ok').map((step) => step.outcome.durationMs),
  );
  const verdict = wentWell(report)
    ? color.green(color.bold('Everything went as it should'))
    : color.red(color.bold('Something went wrong'));
  return [
    '',
    verdict,
    `  ${good} of ${report.steps.length} calls ended as expected; ${refused} of them had to be refused, stopped or held back`,
    `  ${report.leaks === 0 ? 'the secret in .env was seen by no call' : color.red(`the secret in .env was seen by ${report.leaks} calls`)}`,
    `  ${report.untouched ? 'the workspace on disk is untouched; the edits wait in the overlay as this diff:' : color.red('the workspace on disk was changed')}`,
    ...changedLines(report.diff),
    `  ordinary calls took ${fast.toFixed(1)} ms (median); the whole demo ${(report.totalMs / 1000).toFixed(1)} s`,
    '',
    'Next: caisson shell --workspace .   a prompt in the sandbox      caisson doctor   what works on this machine',
  ].join('\n');
}

function changedLines(diff: string): string[] {
  return diff
    .split('\n')
    .filter((line) => /^(\+\+\+|[+-](?![+-]))/.test(line))
    .map((line) => color.dim(`      ${escapeTerminal(line)}`));
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
