/** A line without its end. `end` is absent where it is not known, or where there is none. */
export interface Line {
  text: string;
  end: '\n' | '\r\n' | undefined;
}

export function toLines(text: string): Line[] {
  const lines = text.split('\n').map((line): Line => {
    return line.endsWith('\r') ? { text: line.slice(0, -1), end: '\r\n' } : { text: line, end: '\n' };
  });
  const last = lines.pop();
  // What stands after the last line feed ends without one: a carriage return there is a character of its own.
  if (last !== undefined && text !== '' && !text.endsWith('\n'))
    lines.push({ text: text.slice(text.lastIndexOf('\n') + 1), end: undefined });
  return lines;
}

/** The text of the lines: ends that are missing are those of the line before, and the last line ends, or not, as `original` does. */
export function joinLines(lines: readonly Line[], original: string): string {
  const endsOpen = original !== '' && !original.endsWith('\n');
  let previous = /\r?\n/.exec(original)?.[0] ?? '\n';
  return lines
    .map(({ text, end }, index) => {
      previous = end ?? previous;
      return index === lines.length - 1 && endsOpen ? text : text + previous;
    })
    .join('');
}
