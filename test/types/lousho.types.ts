/** Type tests of Lousho's sandbox: they hold when `tsc -p .` compiles this file. Nothing here runs. */
import type { Sandbox, SandboxAdapter, SandboxSession, ToolHostOptions } from '../../src/index.js';
import type { LoushoSandboxAdapter } from '../interop/lousho/lousho.js';

declare const theirs: LoushoSandboxAdapter;
export const asOurs: SandboxAdapter = theirs;
export const forHost: ToolHostOptions = { sandbox: theirs };

declare const ours: SandboxAdapter;
declare const sandbox: Sandbox;
declare const session: SandboxSession;
export const asTheirs: LoushoSandboxAdapter[] = [ours, sandbox, session];

// @ts-expect-error - two members are not enough
export const half: ToolHostOptions = { sandbox: { name: 'half', run: theirs.run } };
