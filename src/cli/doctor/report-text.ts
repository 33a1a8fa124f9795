import { color } from '../terminal/color.js';
import { escapeTerminal } from '../terminal/escape.js';
import type { DoctorReport } from './report.js';

const MARKS = { ok: color.green('✓'), note: color.yellow('•'), problem: color.red('✗') };

const UNITS: [suffix: string, format: (value: number) => string][] = [
  [
    'Ms',
    (value) => (value >= 3_600_000 ? `${value / 3_600_000} h` : value >= 1000 ? `${value / 1000} s` : `${value} ms`),
  ],
  ['Bytes', (value) => `${value / 1024 / 1024} MiB`],
];

/** The report for a person. */
export function reportText(report: DoctorReport): string {
  const checks = report.checks.map((check) => line(MARKS[check.status], check));
  const backends = report.backends.map((backend) => line(backend.works ? MARKS.ok : MARKS.problem, backend));
  const limits = Object.entries(report.limits).map(([name, value]) => `  ${name.padEnd(24)}${limitText(name, value)}`);
  return [
    `Caisson ${report.version}`,
    '',
    'This machine',
    ...checks,
    '',
    'Backends',
    ...backends,
    '',
    'Default limits',
    ...limits,
  ].join('\n');
}

function line(mark: string, item: { name: string; detail: string; fix?: string }): string {
  const text = `  ${mark} ${item.name.padEnd(16)}${escapeTerminal(item.detail)}`;
  return item.fix === undefined ? text : `${text}\n${' '.repeat(20)}${color.dim(`fix: ${item.fix}`)}`;
}

function limitText(name: string, value: number): string {
  const unit = UNITS.find(([suffix]) => name.endsWith(suffix));
  return unit ? unit[1](value) : value.toLocaleString('en-US');
}
