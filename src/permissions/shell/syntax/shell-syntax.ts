/**
 * The border behind which the parser can be exchanged: what a shell text says, in the few shapes that permission rules
 * ask about. Words are dequoted; what is not known before they run is written with the marks of `marks.ts`.
 */
export interface ShellSyntax {
  /** Never runs anything. May throw, or recurse too deep: the caller guards. */
  read(text: string, options: SyntaxOptions): ShellText;
}

export interface SyntaxOptions {
  /** What `~` and `$HOME` stand for; absent when the text may change it. */
  home?: string;
  /** A star may stand for names with a leading dot, or go through directories. */
  globsDots?: boolean;
  /** Programs and variables mean what they do elsewhere. */
  keepsMeanings?: boolean;
}

export interface ShellText {
  steps: readonly Step[];
  /** Why the text was not understood in full: anything could run. */
  unreadable?: string;
  traits: TextTraits;
}

/** Code may be hidden in quotes in one text and run by another: these count for all texts of a call together. */
export interface TextTraits {
  /** A variable's value is evaluated as an expression, with the substitutions in its subscripts. */
  evaluates: boolean;
  /** Such a value comes from a program or a file. */
  evaluatesOutside: boolean;
  /** A variable is set whose value bash expands by itself. */
  expands: boolean;
  /** An array's value is given as a text that is not known. */
  declares: boolean;
  /** Quoted text holds what would be a substitution. */
  hidesCode: boolean;
  /** Quoted text holds what could be a subscript. */
  hidesSubscript: boolean;
  /** Quoted text holds what could be the value of an array. */
  hidesArray: boolean;
  /** Quoted texts that could be put together to a substitution. */
  endsInDollar: boolean;
  beginsInBracket: boolean;
}

/** Offsets in the text, `to` exclusive. */
export interface Span {
  from: number;
  to: number;
}

export interface ShellWord {
  text: string;
  span: Span;
}

export interface ShellRedirect {
  kind: 'read' | 'write';
  target: string;
}

/** A command as the grammar shows it, before wrappers are looked into. A redirect of a group is one without words. */
export interface SimpleCommand {
  words: readonly ShellWord[];
  /** `NAME=value` before the command, as words. */
  assignments: readonly string[];
  redirects: readonly ShellRedirect[];
  /** What a here-document or here-string puts on its stdin; the last one wins. */
  stdin?: string;
  /** What the `echo` or `printf` before it in a pipeline prints, more or less: good for looking for names only. */
  piped?: string;
  /** The file whose content the command before it in a pipeline prints: one that was just made, for any but `cat file`. */
  source?: string;
  span: Span;
}

/** What runs, in the order it is written, as far as the working directory depends on it. */
export type Step =
  | { kind: 'command'; command: SimpleCommand }
  /** The right side runs after the left one succeeded (`&&`) or failed (`||`). */
  | { kind: 'join'; operator: '&&' | '||'; left: readonly Step[]; right: readonly Step[] }
  /** In a process of its own: subshells, parts of a pipeline, substitutions, background commands. */
  | { kind: 'isolated'; steps: readonly Step[] }
  /** One of these runs, or none. */
  | { kind: 'choice'; choices: readonly (readonly Step[])[] }
  /** May run again and again. */
  | { kind: 'loop'; steps: readonly Step[] }
  /** Gives a variable a value without a command that shows it; a name that is absent is not known. */
  | { kind: 'set'; name?: string; value: string; span: Span }
  /** Runs whenever it is called. */
  | { kind: 'function'; name: string; steps: readonly Step[] };
