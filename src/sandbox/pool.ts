import type { SandboxSession } from './contract.js';

/** Warm sessions for one workspace. */
export interface SandboxPool extends AsyncDisposable {
  readonly size: number;
  /** A started session, used by nobody before; dispose it when done. The pool makes a new one in its place. */
  acquire(): Promise<SandboxSession>;
  dispose(): Promise<void>;
}
