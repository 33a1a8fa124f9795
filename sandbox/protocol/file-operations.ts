import type { CommitResult, DirectoryEntry, FileStat, GlobQuery, GlobResult, GrepQuery, GrepResult } from './files.js';

/** Host file calls; paths absolute in the sandbox's namespace, only `/workspace` is reachable. */
export type FileOperation =
  | { op: 'readFile'; path: string; maxBytes: number }
  | { op: 'writeFile'; path: string; mode?: number; ifVersion?: string | null }
  | { op: 'stat'; path: string }
  | { op: 'list'; path: string }
  | { op: 'mkdir'; path: string }
  | { op: 'remove'; path: string; recursive: boolean }
  | { op: 'rename'; from: string; to: string }
  | { op: 'glob'; patterns: string[]; query: GlobQuery; timeoutMs: number }
  | { op: 'grep'; pattern: string; query: GrepQuery; timeoutMs: number }
  | { op: 'changes' }
  | { op: 'commit' }
  | { op: 'discard' };

/** `value` of a `file` reply, by operation; `readFile` answers in the body. `null`: nothing is there. */
export interface FileReplies {
  readFile: true | null;
  writeFile: true;
  stat: FileStat | null;
  list: DirectoryEntry[] | null;
  mkdir: true;
  remove: boolean;
  rename: true;
  glob: GlobResult;
  grep: GrepResult;
  /** In the body, as JSON: it may be larger than a header. */
  changes: true;
  commit: CommitResult;
  discard: true;
}
