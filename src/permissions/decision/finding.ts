import type { DecisionPart } from '../rules/rule.js';
import type { ShellCommand } from '../shell/syntax/shell-command.js';
import { showWord } from '../text/marks.js';
import type { Match } from '../text/match.js';

/** What a rule found in a call. `below`: a directory that is gone through holds, or may hold, what the rule names. */
export interface Finding {
  match: Match | 'below';
  /** The simple command or path that it met. */
  part?: DecisionPart;
  why?: string;
}

/** A command, or the end of it that counts, as people can read it. */
export function commandPart(command: ShellCommand, from = 0): DecisionPart {
  const wrapper = from === 0 ? [] : [`${showWord(command.words[0] ?? '')} (unknown program)`];
  const via = [...command.via, ...wrapper];
  const start = command.spans[from]?.from ?? command.span.from;
  return {
    text: shorten(command.words.slice(from).map(showWord).join(' ')),
    span: [start, command.span.to],
    ...(via.length === 0 ? {} : { via }),
  };
}

/** A command with what it was found in. */
export function showCommand(command: ShellCommand): string {
  const { text, via } = commandPart(command);
  return via === undefined ? text : `${text} (through ${via.join(', ')})`;
}

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
