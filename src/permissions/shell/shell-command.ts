/** What was read of a shell command line; the border behind which the reader can be exchanged. */
export interface ShellReading {
  /** Every simple command anywhere in the text, those inside wrappers, substitutions and nested scripts included. */
  commands: readonly ShellCommand[];
  /** Something was not understood: anything could run. */
  unreadable: boolean;
}

/** One simple command, its words without quotes. Unknown stretches of a word are `HOLE` or `SPREAD`. */
export interface ShellCommand {
  words: readonly string[];
  /** `NAME=value` before the command, as words. */
  assignments: readonly string[];
  redirects: readonly ShellRedirect[];
  /** The wrappers around it, outermost first. */
  via: readonly string[];
  /** A wrapper that does nothing but run the command inside it (`timeout`, `env`, …): judged by that one. */
  transparent: boolean;
}

export interface ShellRedirect {
  kind: 'read' | 'write';
  target: string;
}

/** A command as the grammar shows it, before wrappers are looked into. */
export interface RawCommand {
  words: string[];
  assignments: string[];
  redirects: ShellRedirect[];
  /** What a here-document or here-string puts on its stdin; the last one wins. */
  stdin?: string;
}
