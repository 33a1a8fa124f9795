import type { WorkspaceMode } from '../../../sandbox/protocol/files.js';
import type { GuestCode } from './guest-code.js';

export interface WorkerAccess {
  mode: WorkspaceMode;
  workspaceRoot?: string;
  privateRoot: string;
  snapshotPath?: string;
  jitless: boolean;
}

/** The worker's Node arguments: what it may touch is said here, before any of its code runs. */
export function workerArguments(role: 'shell' | 'files', code: GuestCode, access: WorkerAccess): string[] {
  const readable = [...code.readable, access.privateRoot];
  const writable = [access.privateRoot];
  if (access.workspaceRoot !== undefined) {
    readable.push(access.workspaceRoot);
    // An overlay's origin is written only by the files worker, on commit.
    if (access.mode === 'direct' || (access.mode === 'overlay' && role === 'files'))
      writable.push(access.workspaceRoot);
  }
  if (access.snapshotPath !== undefined) readable.push(access.snapshotPath);
  return [
    // isolated-vm needs a process without Node's own startup snapshot.
    ...(role === 'shell' ? ['--no-node-snapshot', '--allow-addons'] : []),
    ...(access.jitless ? ['--jitless'] : []),
    // A signal from the guest's user would otherwise open an inspector.
    '--disable-sigusr1',
    '--no-warnings',
    '--permission',
    '--allow-worker',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    ...writable.map((path) => `--allow-fs-write=${path}`),
    code.worker,
    code.isolatedVm,
  ];
}
