import type { EnforcementPlan } from './plan.js';

/**
 * File work on whole trees: how a workspace is copied into a container and its changes out again. Paths are relative to
 * the workspace. Bodies are named beside each operation.
 */
export type TreeOperation =
  /** Everything in the workspace but what the plan denies to read. Answers `ScanBody` in the body. */
  | { op: 'scan'; plan: EnforcementPlan; hash: boolean }
  /** What the plan's rules name. Answers `NamedBody` in the body. */
  | { op: 'named'; plan: EnforcementPlan }
  /** The files' bytes, one after the other; `value`: the size of each, -1 for one that is not there. */
  | { op: 'pack'; paths: string[] }
  /** Body: the files' bytes, one after the other, in the order of the entries. */
  | { op: 'unpack'; entries: TreeEntry[] }
  /** Makes FIFOs: stand-ins for what the origin has there and a copy cannot have. */
  | { op: 'stand-in'; paths: string[] }
  /** Removes what is there of these, deepest first. */
  | { op: 'drop'; paths: string[] };

export interface TreeEntry {
  path: string;
  type: 'file' | 'directory' | 'symlink';
  mode: number;
  size: number;
  mtimeMs: number;
  /** Of links. */
  target?: string;
}

export interface ScannedEntry extends TreeEntry {
  /** Changes with every change to the file, and cannot be set back. */
  version: string;
  /** SHA-256 of a file's content, when it was asked for. */
  hash?: string;
}

export interface ScanBody {
  entries: ScannedEntry[];
  /** FIFOs, sockets, devices: left out. */
  special: string[];
  /** Files too large to travel: left out. */
  large: string[];
}

export interface NamedEntry {
  path: string;
  type: 'file' | 'directory';
  kind: 'denyRead' | 'denyWrite';
  rule: string;
}

export interface NamedBody {
  entries: NamedEntry[];
  /** Rules that name nothing that exists now. */
  unmatched: string[];
}
