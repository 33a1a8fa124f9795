/** Lines `startLine` to `endLine` of a text, counted from 1, both included; an end behind the last line is the last line. */
export function lineRange(
  text: string,
  { startLine = 1, endLine }: { startLine?: number | undefined; endLine?: number | undefined },
): string {
  if (startLine <= 1 && endLine === undefined) return text;
  const lines = text.split('\n');
  return lines.slice(Math.max(startLine, 1) - 1, endLine).join('\n');
}
