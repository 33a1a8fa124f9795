import type { ShellRedirect, Span } from './shell-syntax.js';

/** What was read of a shell command line. */
export interface ShellReading {
  /** Every simple command anywhere in the text, those inside wrappers, substitutions and nested scripts included. */
  commands: readonly ShellCommand[];
  /** Why something was not understood: then anything could run. */
  unreadable?: string;
  /** The command by which that is so, where it is one. */
  unreadableIn?: ShellCommand;
  /** An expression takes what a program or a file gave it, and what that says may run. */
  evaluatesOutside?: true;
  /** It is not even a command: a shell would refuse it, or read it otherwise than it was read here. */
  malformed: boolean;
  /** Functions that the text defines; their bodies are among the commands. */
  functions: ReadonlySet<string>;
}

/** One simple command, its words without quotes. Unknown stretches of a word are marks. */
export interface ShellCommand {
  words: readonly string[];
  /** Where each word stands in the text that was asked about. */
  spans: readonly Span[];
  span: Span;
  /** `NAME=value` before the command, as words. */
  assignments: readonly string[];
  redirects: readonly ShellRedirect[];
  /** What it reads from its standard input, where the text tells. */
  stdin?: string;
  /** The wrappers around it, outermost first. */
  via: readonly string[];
  /** A wrapper that does nothing but run the command inside it (`timeout`, `env`, …): judged by that one. */
  transparent: boolean;
  /** What it runs is among the commands too. */
  wraps: boolean;
  /** The command whose last words are all of its own: `npx vitest` of `vitest`. */
  wrapper?: ShellCommand;
  /** Where it may run: absolute, with marks. */
  directories: readonly string[];
  /** Found in the code of another language: it may run, and allows nothing. */
  guessed: boolean;
}

/** A command before it is known where it runs. */
export interface RawCommand {
  words: readonly { text: string; span: Span }[];
  assignments: readonly string[];
  redirects: readonly ShellRedirect[];
  stdin?: string;
  /** What the command before it in a pipeline prints. */
  piped?: string;
  /** The file that it gets on its standard input through a pipe. */
  source?: string;
  span: Span;
}
