import type { SandboxCapabilities, SandboxSession, WorkspaceMode } from '../../../src/sandbox/contract.js';
import type { ContractBackend, ContractCreateOptions } from './contract-backend.js';
import type { Need } from './need.js';
import type { TestApi } from './test-api.js';

/** What the parts of the suite are written against. */
export interface Contract {
  readonly describe: TestApi['describe'];
  readonly expect: TestApi['expect'];
  readonly backend: ContractBackend;
  readonly mode: WorkspaceMode;
  readonly capabilities: SandboxCapabilities;
  /** One claim. It is skipped, visibly, when a need is not met. */
  check(title: string, body: (scope: Scope) => Promise<void>, options?: CheckOptions): void;
}

export interface CheckOptions {
  needs?: readonly Need[];
  /** Milliseconds, default 30,000. */
  timeoutMs?: number;
}

/** What one check works with; all of it is cleaned up after the check. */
export interface Scope {
  /** The session that most checks share, so that state which leaks from one check to another shows. */
  readonly sandbox: SandboxSession;
  /** A new, empty directory of the shared workspace, relative to `/workspace`. */
  readonly dir: string;
  /** Host directory of the shared workspace; absent in `memory` mode. */
  readonly hostDir?: string;
  /** A session of the check's own, in the mode of the run unless said otherwise. */
  open(options?: ContractCreateOptions): Promise<SandboxSession>;
  /** An empty host directory for `open({ workspace })`. */
  workspace(): Promise<string>;
  /** What `work` rejects with; it fails when `work` does not reject, or rejects with a text that names a host directory. */
  failure(work: Promise<unknown>): Promise<Failure>;
  /** The same for calls made at once. */
  failures(work: readonly Promise<unknown>[]): Promise<Failure[]>;
}

/** A rejection, seen without assuming which copy of the error classes made it. */
export interface Failure {
  name: string;
  message: string;
  code?: unknown;
  retryable?: unknown;
  path?: unknown;
  stdout?: unknown;
  stderr?: unknown;
}
