import type ivm from 'isolated-vm';
import type { InitMessage } from '../protocol/isolate.js';
import { loadIsolatedVm } from './load-isolated-vm.js';
import { monotonicMs } from './monotonic-ms.js';
import { ShellIsolate } from './shell/host/shell-isolate.js';
import { loadSnapshot, type ShellSnapshot } from './shell/host/snapshot.js';
import { useSmallHeaps } from './use-small-heaps.js';
import { die } from './watch/die.js';
import type { WatchState } from './watch/watch-state.js';

export interface StartedShell {
  ivm: typeof ivm;
  isolate: ShellIsolate;
  snapshot: ShellSnapshot;
  memoryMegabytes: number;
}

/** Loads the isolate's library and boots the shell; the only place that loads native code. */
export function startShell(init: InitMessage, watch: WatchState): StartedShell {
  const library = loadIsolatedVm();
  useSmallHeaps();
  const snapshot = loadSnapshot(library, init.snapshotPath);
  const memoryMegabytes = heapMegabytes(init.memoryBytes);
  const isolate = new ShellIsolate({
    ivm: library,
    snapshot,
    memoryMegabytes,
    interrupted: () => (watch.cancelled ? 2 : monotonicMs() > watch.deadline ? 1 : 0),
    onCatastrophe: () => die('oom', watch.call),
  });
  return { ivm: library, isolate, snapshot, memoryMegabytes };
}

const MiB = 1024 * 1024;
const SMALLEST_HEAP_MIB = 32;

/**
 * More than the process may have resident, so that the watchdog's limit is always the first to be met: it says why it
 * ends the process. V8, at its own limit, mostly aborts the process with a message for nobody.
 */
function heapMegabytes(memoryBytes: number): number {
  return Math.max(SMALLEST_HEAP_MIB, Math.floor(memoryBytes / MiB) * 4);
}
