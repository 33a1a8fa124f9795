/** Joins a line that ends in an odd number of backslashes with the next one, as a shell does. */
export async function* joinContinuations(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let held = '';
  for await (const line of lines) {
    if (continues(line)) {
      held += line.slice(0, -1);
      continue;
    }
    yield held + line;
    held = '';
  }
  if (held !== '') yield held;
}

function continues(line: string): boolean {
  const backslashes = /\\+$/.exec(line)?.[0].length ?? 0;
  return backslashes % 2 === 1;
}
