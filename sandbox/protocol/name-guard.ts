import type { EnforcementPlan, PathRule } from './plan.js';

/**
 * What the host and a name guard say to each other: a process of the host's own machine that looks at a directory which
 * a container works on, and says what of it the rules name. Over Node's own channel between processes.
 */
export type NameGuardRequest =
  /** `byName`: what is covered is the name, whatever comes there. */
  | { type: 'watch'; root: string; plan: EnforcementPlan; byName: boolean }
  /** Is what is named still covered by what was named when `watch` was answered? */
  | { type: 'check' }
  /** In place of `watch`. */
  | { type: 'find-others'; root: string; plan: EnforcementPlan };

export type NameGuardReply =
  /** `unnamed`: what must not be read, or may hold such, and has a name that is not valid UTF-8. */
  | {
      type: 'named';
      named: NamedPath[];
      closesRoot: boolean;
      unmatched: string[];
      unnamed: string[];
      /** For what denied names led to through links, by the names of where it lies. */
      linked: readonly PathRule[];
    }
  | { type: 'failed'; message: string }
  | { type: 'checked'; changed: NamedPath[] }
  | { type: 'others'; others: OtherNames }
  /** Said unasked: the host put something else where a file was that must not be read. */
  | { type: 'replaced'; named: NamedPath }
  /** Said unasked: something came to be that must not be written; `replaced`: in the place of what was there at first. */
  | { type: 'appeared'; named: NamedPath; replaced: boolean };

/** Something that a rule names, relative to the root. */
export interface NamedPath {
  path: string;
  type: 'file' | 'directory';
  kind: 'denyRead' | 'denyWrite';
  /** The name itself and all below it, the name alone, or its place: a directory that must not be moved away. */
  reach: 'whole' | 'entry' | 'place';
  rule: string;
}

/** Content that a rule keeps from being read, under a name that no rule denies. */
export interface OtherName {
  path: string;
  rule: string;
  how: 'hard link' | 'symbolic link' | 'git';
  /** The other name, what the denied name is a link to, or where git keeps it. */
  also: string;
}

export interface OtherNames {
  exposures: OtherName[];
  /** Symbolic links that lead to what a rule names, by name, with where they lead; both relative to the root. */
  links: Record<string, string>;
  /** What was not looked at; empty when everything was. */
  unseen: string[];
}
