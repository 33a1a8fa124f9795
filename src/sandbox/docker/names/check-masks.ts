import { isSandboxError } from '../../errors.js';
import type { EnforcementPlan } from '../../plan.js';
import { openWorkspaceDirectory } from '../../workspace-directory.js';
import { createMasks } from './masks.js';

/** What a container that works on a directory itself would do about a plan, as the directory is now. */
export interface MaskCheck {
  /** Paths that are covered or mounted read-only. */
  held: number;
  /** Write rules that commands can go around: they name nothing now, or more than can be mounted. */
  unenforced: string[];
  /** Why no such container can be started. */
  refused?: string;
}

/** @throws SandboxUnavailableError when the workspace cannot be opened */
export async function checkMasks(workspace: string, plan: EnforcementPlan): Promise<MaskCheck> {
  const { path } = await openWorkspaceDirectory(workspace);
  try {
    const { held, unenforced, remove } = await createMasks(path, plan);
    await remove();
    return { held, unenforced };
  } catch (error) {
    if (isSandboxError(error) && error.code === 'unsupported')
      return { held: 0, unenforced: [], refused: error.message };
    throw error;
  }
}
