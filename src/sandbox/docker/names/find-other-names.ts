import { SandboxUnavailableError } from '../../errors.js';
import type { EnforcementPlan } from '../../plan.js';
import { openWorkspaceDirectory } from '../../workspace-directory.js';
import { firstReply, send, startNameProcess } from './name-process.js';

export type { OtherName } from '../../../../sandbox/protocol/name-guard.js';

/**
 * Looks through a workspace for content that a rule keeps from being read and that stands under another name too.
 * Whatever sandbox works on it later: nothing of a sandbox is needed.
 * @throws SandboxUnavailableError when the workspace cannot be opened
 */
export async function findOtherNames(workspace: string, plan: EnforcementPlan) {
  const { path } = await openWorkspaceDirectory(workspace);
  const child = startNameProcess();
  const answer = firstReply(
    child,
    'others',
    () =>
      new SandboxUnavailableError(`Cannot look through '${workspace}' for denied content under other names`, {
        path: workspace,
      }),
  );
  try {
    send(child, { type: 'find-others', root: path, plan });
    return (await answer).others;
  } finally {
    child.kill('SIGKILL');
  }
}
