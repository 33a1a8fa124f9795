import type { Change, CommitResult, Sandbox, SandboxSession } from '../sandbox/contract.js';
import { SandboxError } from '../sandbox/errors.js';

/** What an `overlay` workspace holds beside its origin, and what becomes of it. */
export type WorkspaceChanges = Pick<SandboxSession, 'changes' | 'commit' | 'discard'>;

/** The changes of whatever sandbox the host has, which starts it when it has not started. */
export function createWorkspaceChanges(start: () => Promise<Sandbox>): WorkspaceChanges {
  const session = async () => {
    const sandbox = await start();
    if (isSession(sandbox)) return sandbox;
    throw new SandboxError(
      'unsupported',
      `The sandbox '${sandbox.name}' keeps no changes apart: use one with an overlay`,
    );
  };
  return {
    changes: async (): Promise<Change[]> => (await session()).changes(),
    commit: async (): Promise<CommitResult> => (await session()).commit(),
    discard: async () => (await session()).discard(),
  };
}

function isSession(sandbox: Sandbox): sandbox is SandboxSession {
  return (['changes', 'commit', 'discard'] as const).every((name) => typeof Reflect.get(sandbox, name) === 'function');
}
