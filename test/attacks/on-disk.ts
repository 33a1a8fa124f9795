import type { SandboxSession, WorkspaceMode } from '../../src/sandbox/contract.js';
import type { Project, Stage } from './stage.js';

/** The modes in which a directory of the host is the workspace. */
export const ON_DISK: readonly WorkspaceMode[] = ['direct', 'overlay'];

/** One project, and a session over it in each of those modes. */
export function onDisk(
  stage: Stage,
  files: Record<string, string> = {},
): { project: Project; sessions: SandboxSession[] } {
  const project = stage.project(files);
  const sessions = ON_DISK.map((workspaceMode) => stage.sandbox({ workspace: project.root, workspaceMode }));
  return { project, sessions };
}
