import type { WorkspaceMode } from './contract.js';

/** What a sandbox's description says of its workspace. */
export const WORKSPACE_WORDS: Record<WorkspaceMode, string> = {
  direct: 'Files are in /workspace; changes there are made on the real files.',
  overlay: 'Files are in /workspace; changes there are kept apart until they are committed.',
  memory: 'Files are in /workspace, which starts empty and is gone when the session ends.',
};
