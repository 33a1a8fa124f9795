/** The shapes of file work that cross the border between host and sandbox. Sizes are bytes, times milliseconds since 1970. */

export interface FileStat {
  type: 'file' | 'directory' | 'symlink' | 'other';
  size: number;
  /** Permission bits, e.g. `0o644`. */
  mode: number;
  /** Milliseconds since 1970. */
  mtimeMs: number;
  /** Changes whenever the content may have changed; for `writeFile({ ifVersion })`. */
  version: string;
}

export interface DirectoryEntry {
  name: string;
  type: FileStat['type'];
  size: number;
  /** For links: where it points, as written. */
  target?: string;
}

export interface WalkLimits {
  /** Directory names never entered. Default `.git`, `node_modules`. */
  ignoreDirectories?: readonly string[];
  /** Files and directories looked at before the walk stops with `walkLimited`. Default 20,000. */
  maxWalked?: number;
}

export interface GlobQuery extends WalkLimits {
  /** Where to look. Default `/workspace`. */
  cwd?: string;
  /** Default 200. */
  maxResults?: number;
  /** Match directories too. Default false. */
  directories?: boolean;
}

/** What a walk left out, so that an empty answer explains itself. */
export interface WalkNotes {
  /** More results exist than were asked for. */
  resultsLimited: boolean;
  walkLimited: boolean;
  filesWalked: number;
  /** Directories skipped by `ignoreDirectories`. */
  ignoredDirectories: number;
  /** Paths that rules or modes kept closed. */
  unreadable: number;
}

export interface GlobResult extends WalkNotes {
  paths: string[];
}

export interface GrepQuery extends WalkLimits {
  /** File or directory to search. Default `/workspace`. */
  path?: string;
  /** Only files that match one of these globs, relative to `path`. */
  globs?: readonly string[];
  ignoreCase?: boolean;
  /** Take the pattern as plain text. */
  literal?: boolean;
  /** Lines shown before and after each match. Default 0, at most 20. */
  context?: number;
  /** Default 200. */
  maxResults?: number;
}

export interface GrepMatch {
  /** Relative to `/workspace`. */
  path: string;
  /** From 1. */
  line: number;
  /** Without its line end; cut at 2,000 characters. */
  text: string;
  before?: string[];
  after?: string[];
}

export interface GrepResult extends WalkNotes {
  matches: GrepMatch[];
  /** Files that matched. */
  files: number;
  binaryFiles: number;
  /** Files over 10 MiB, not searched. */
  largeFiles: number;
}

export interface Change {
  /** Relative to the workspace root. */
  path: string;
  kind: 'added' | 'modified' | 'deleted';
  type: 'file' | 'directory' | 'symlink';
  mode?: number;
  /** The permission bits before, where they were others. */
  beforeMode?: number;
  /** Before and after, for text files up to 1 MiB; absent for binary or larger files. */
  before?: string;
  after?: string;
}

export interface CommitResult {
  added: number;
  modified: number;
  deleted: number;
}

export type WorkspaceMode = 'direct' | 'overlay' | 'memory';
