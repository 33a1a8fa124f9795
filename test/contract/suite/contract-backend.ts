import type { SandboxCapabilities, SandboxSession, WorkspaceMode } from '../../../src/sandbox/contract.js';
import type { SandboxLimits } from '../../../src/sandbox/limits.js';

/** What the suite asks a backend's factory for. Keys it does not set are left to the backend's defaults. */
export interface ContractCreateOptions {
  workspaceMode?: WorkspaceMode;
  /** Host directory; absent in `memory` mode. */
  workspace?: string;
  limits?: SandboxLimits;
  env?: Record<string, string>;
}

/** A backend as the suite sees it. */
export interface ContractBackend {
  /** Shown in test titles. */
  name: string;
  /** Makes a session that nobody else uses; it need not be started. */
  create(options?: ContractCreateOptions): Promise<SandboxSession> | SandboxSession;
  /** Modes that `create` can give; the whole suite runs in the first. Default `['memory']`. */
  workspaceModes?: readonly WorkspaceMode[];
  /** Decides the skips without starting a session while tests are collected. Default: asked of a started session. */
  capabilities?: SandboxCapabilities;
  /** Parts to run. Default: all; `workspace` is what makes sense to repeat in every mode. */
  parts?: readonly ContractPart[];
  /** Makes an empty host directory that `direct` and `overlay` sessions may use; removed by the suite. Default: in the system's temp directory. */
  makeWorkspace?(): Promise<string>;
  /** Ends what is behind a session from outside, as a crash would: kills its process, removes its container. */
  crash?(session: SandboxSession): Promise<void>;
  /** Names of what sessions hold on the host: processes, containers, directories. Compared before and after a session's life. */
  leftovers?(): Promise<readonly string[]>;
  /** A shell command that needs more than 256 MiB of memory. */
  memoryHog?: string;
  /** Gets a line for each check that was skipped, and a summary. Default: standard output. */
  report?(line: string): void;
}

export const CONTRACT_PARTS = [
  'lifecycle',
  'commands',
  'files',
  'search',
  'workspace',
  'tools',
  'evaluate',
  'survival',
] as const;

export type ContractPart = (typeof CONTRACT_PARTS)[number];
