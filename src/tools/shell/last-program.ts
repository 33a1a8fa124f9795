/**
 * The program that decided a command line's exit code, as far as a glance can tell: the first word of its last simple
 * command. Only used to explain an exit code, never to decide anything.
 */
export function lastProgram(command: string): string | undefined {
  const last = splitOutsideQuotes(command).findLast((part) => part.trim() !== '');
  const words = last?.trim().split(/\s+/) ?? [];
  const program = words.find((word) => word !== '!' && word !== '(' && word !== '{' && !/^\w+=/.test(word));
  return program?.split('/').at(-1);
}

function splitOutsideQuotes(command: string): string[] {
  const parts: string[] = [];
  let current = '';
  let quote = '';
  for (let index = 0; index < command.length; index += 1) {
    const character = command[index] ?? '';
    if (character === '\\' && quote !== "'") {
      current += character + (command[index + 1] ?? '');
      index += 1;
    } else if (quote !== '') {
      if (character === quote) quote = '';
      current += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      current += character;
    } else if (character === '|' || character === ';' || character === '&' || character === '\n') {
      parts.push(current);
      current = '';
    } else {
      current += character;
    }
  }
  parts.push(current);
  return parts;
}
