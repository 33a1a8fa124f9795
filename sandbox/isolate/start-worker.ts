import { createFileLayer } from '../files/create-file-layer.js';
import type { FileLayer } from '../files/file-layer.js';
import type { InitMessage } from '../protocol/isolate.js';
import { CallQueue } from './call-queue.js';
import { lockDown } from './lockdown.js';
import { startShell } from './start-shell.js';
import type { WatchState } from './watch/watch-state.js';
import { sendFrame } from './wire/send-frame.js';

/** Loads everything, gives up what only loading needed, tells the host, and is ready for calls. */
export function startWorker(init: InitMessage, watch: WatchState): CallQueue {
  const shell = init.role === 'shell' ? startShell(init, watch) : undefined;
  lockDown(init);
  watch.setMemoryLimit(init.memoryBytes);
  const hostFiles = openFiles(init, { workspaceOnly: true });
  const guestFiles = shell === undefined ? hostFiles : openFiles(init, { workspaceOnly: false });
  shell?.isolate.attach(guestFiles);
  const built = shell?.snapshot.built === true ? shell.snapshot.bytes : undefined;
  const uid = process.getuid?.() ?? -1;
  sendFrame({ type: 'ready', pid: process.pid, snapshotBuilt: built !== undefined, uid }, built);
  return new CallQueue({ watch, hostFiles, guestFiles, shell, denied: init.plan.denyCommands ?? [] });
}

/** The host's file calls reach the workspace alone, whatever links lie in it; commands have `/tmp` and a home as well. */
function openFiles(init: InitMessage, { workspaceOnly }: { workspaceOnly: boolean }): FileLayer {
  return createFileLayer({
    mode: init.mode,
    ...(init.workspaceRoot === undefined ? {} : { workspaceRoot: init.workspaceRoot }),
    privateRoot: init.privateRoot,
    plan: init.plan,
    maxBytes: init.maxDiskBytes,
    maxEntries: init.maxDiskEntries,
    workspaceOnly,
  });
}
