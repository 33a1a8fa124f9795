import { splitLines } from '../../../tools/files/text-lines.js';

/** Lines as `cat -n` shows them. */
export function numberedLines(text: string, startLine: number): string {
  return splitLines(text)
    .map((line, index) => `${String(startLine + index).padStart(6)}\t${line}`)
    .join('');
}
