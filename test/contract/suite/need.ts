import type { SandboxCapabilities, WorkspaceMode } from '../../../src/sandbox/contract.js';
import type { ContractBackend } from './contract-backend.js';

/** What a check needs of a backend beyond the contract's core; a backend without it skips the check, by this name. */
export type Need =
  | 'backgroundProcesses'
  | 'no backgroundProcesses'
  | 'signals'
  | 'fileModes'
  | 'specialFiles'
  | 'writableStdin'
  | 'evaluate'
  | 'snapshots'
  | 'users'
  | 'shell: bash'
  | 'network: none'
  | 'limits.memoryBytes'
  | 'limits.maxProcesses'
  | 'limits.maxDiskBytes'
  | 'limits.maxDiskEntries'
  | 'limits.maxOutputBytes'
  | 'a workspace on the host'
  | 'workspaceMode: direct'
  | 'workspaceMode: overlay'
  | 'workspaceMode: memory'
  | 'a way to crash the sandbox'
  | 'a way to see what is left over';

export interface Setting {
  backend: ContractBackend;
  capabilities: SandboxCapabilities;
  mode: WorkspaceMode;
}

/** The first need that a setting does not meet. */
export function missingNeed(needs: readonly Need[], setting: Setting): Need | undefined {
  return needs.find((need) => !MEETS[need](setting));
}

const MEETS: Record<Need, (setting: Setting) => boolean> = {
  backgroundProcesses: ({ capabilities }) => capabilities.backgroundProcesses,
  'no backgroundProcesses': ({ capabilities }) => !capabilities.backgroundProcesses,
  signals: ({ capabilities }) => capabilities.signals,
  fileModes: ({ capabilities }) => capabilities.fileModes,
  specialFiles: ({ capabilities }) => capabilities.specialFiles,
  writableStdin: ({ capabilities }) => capabilities.writableStdin,
  evaluate: ({ capabilities }) => capabilities.evaluate,
  snapshots: ({ capabilities }) => capabilities.snapshots,
  users: ({ capabilities }) => capabilities.users,
  'shell: bash': ({ capabilities }) => capabilities.shell === 'bash',
  'network: none': ({ capabilities }) => capabilities.network === 'none',
  'limits.memoryBytes': ({ capabilities }) => capabilities.limits.memoryBytes,
  'limits.maxProcesses': ({ capabilities }) => capabilities.limits.maxProcesses,
  'limits.maxDiskBytes': ({ capabilities }) => capabilities.limits.maxDiskBytes,
  'limits.maxDiskEntries': ({ capabilities }) => capabilities.limits.maxDiskEntries,
  'limits.maxOutputBytes': ({ capabilities }) => capabilities.limits.maxOutputBytes,
  'a workspace on the host': ({ mode }) => mode !== 'memory',
  'workspaceMode: direct': ({ mode }) => mode === 'direct',
  'workspaceMode: overlay': ({ mode }) => mode === 'overlay',
  'workspaceMode: memory': ({ mode }) => mode === 'memory',
  'a way to crash the sandbox': ({ backend }) => backend.crash !== undefined,
  'a way to see what is left over': ({ backend }) => backend.leftovers !== undefined,
};
