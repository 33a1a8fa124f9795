import type { EnforcementPlan } from './plan.js';

/**
 * File work on whole trees: how a workspace is copied into a container and its changes out again. Paths are relative to
 * the workspace. Bodies are named beside each operation.
 */
export type TreeOperation =
  /** Everything in the workspace but what the plan denies to read. Answers `ScanBody` in the body. */
  | { op: 'scan'; plan: EnforcementPlan; hash: boolean }
  /** What the plan's rules name; with `links`, symbolic links count as files. Answers `NamedBody` in the body. */
  | { op: 'named'; plan: EnforcementPlan; links?: boolean }
  /** `value`: of each path the rule that denies to write or read there; `null` where none does. Body: the tree's links, with where each leads, as JSON; or empty. */
  | { op: 'denied'; plan: EnforcementPlan; paths: string[] }
  /** `value`: `HashedFile` of each; `null` for one that cannot be read. */
  | { op: 'hash'; paths: string[] }
  /** The files' bytes, one after the other; `value`: the size of each, -1 for one that cannot be read. None may have over `PART_BYTES`. */
  | { op: 'pack'; paths: string[] }
  /** Up to `PART_BYTES` of one file, from an offset on. `value`: the file's version. */
  | { op: 'read-part'; path: string; offset: number }
  /** Body: the files' bytes, one after the other, in the order of the entries. */
  | { op: 'unpack'; entries: TreeEntry[] }
  /** Body: the next bytes of a file, which gets its name with the last of them. `transfer` tells one file on its way from another. */
  | { op: 'write-part'; entry: TreeEntry; transfer: string; offset: number; last: boolean }
  /** Makes FIFOs: stand-ins for what the origin has there and a copy cannot have. */
  | { op: 'stand-in'; paths: string[] }
  /** Removes what is there of these, deepest first. */
  | { op: 'drop'; paths: string[] };

/** Bytes of file content in one frame. */
export const PART_BYTES = 8 * 1024 * 1024;

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
  /** SHA-256 of a file's content, when it was asked for and could be read. */
  hash?: string;
}

export interface HashedFile {
  /** SHA-256 of the content. */
  hash: string;
  /** The file's, all the while. */
  version: string;
}

export interface ScanBody {
  entries: ScannedEntry[];
  /** FIFOs, sockets, devices: left out. */
  special: string[];
  /** Directories whose content is not known, because this user may not list them. */
  closed: string[];
  /** What the plan denies to read: left out, with everything in it. */
  denied: string[];
  /** What has a name that is not valid UTF-8: left out, with everything in it. The paths are what they look like. */
  unnamed: UnnamedEntry[];
}

export interface UnnamedEntry {
  path: string;
  /** As of a scanned entry; `''` where it is not known. */
  version: string;
}

export interface NamedEntry {
  path: string;
  type: 'file' | 'directory';
  kind: 'denyRead' | 'denyWrite';
  rule: string;
}

export interface NamedBody {
  entries: NamedEntry[];
}
