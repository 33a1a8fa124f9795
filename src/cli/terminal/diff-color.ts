import { color } from './color.js';

/** A unified diff in the colours people know, where the terminal has any. */
export function colorDiff(diff: string): string {
  return diff.split('\n').map(colorLine).join('\n');
}

function colorLine(line: string): string {
  if (/^(diff --git|---|\+\+\+|new file|deleted file|old mode|new mode)/.test(line)) return color.bold(line);
  if (line.startsWith('@@')) return color.cyan(line);
  if (line.startsWith('+')) return color.green(line);
  if (line.startsWith('-')) return color.red(line);
  return line;
}
