import { isKnown } from '../../text/marks.js';
import type { RawCommand } from '../syntax/shell-command.js';
import type { ShellWord } from '../syntax/shell-syntax.js';

/** What a command runs beside itself. */
export interface Layer {
  scripts: readonly NestedScript[];
  /** Commands that it runs as they stand, with no shell between. */
  inner?: readonly Pick<RawCommand, 'words' | 'assignments' | 'stdin'>[];
  /** It does nothing else. */
  transparent?: boolean;
  /** A directory that it changes to first. */
  directory?: string;
}

export interface NestedScript {
  /** `undefined`: it cannot be known. */
  text: string | undefined;
  /** Runs in the same shell, which keeps the directory it changes to. */
  here?: boolean;
  /** Found in the code of another language. */
  guessed?: boolean;
}

/** Runs text that cannot be known. */
export const UNKNOWN: Layer = { scripts: [{ text: undefined }] };

/** A layer that runs one text. */
export function runsScript(text: string | undefined, options: Omit<NestedScript, 'text'> = {}): Layer {
  return { scripts: [{ text: known(text), ...options }] };
}

/** Words joined to a text, as `eval` and `ssh` do. */
export function joined(words: readonly ShellWord[]): string | undefined {
  return known(words.map(({ text }) => text).join(' '));
}

/** A text of which nothing is unknown. */
export function known(text: string | undefined): string | undefined {
  return text !== undefined && isKnown(text) ? text : undefined;
}
