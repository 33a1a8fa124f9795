import { symlinkSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { Refusal } from '../refusal.js';

const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const { symlinkSync } = require('node:fs');
const state = new Int32Array(workerData, 0, 1);
const answer = new Uint8Array(workerData, 4);
parentPort.on('message', ({ target, name }) => {
  let code = '';
  try { symlinkSync(target, name); } catch (error) { code = error.code || 'EIO'; }
  answer.fill(0);
  answer.set(Buffer.from(code).subarray(0, answer.length));
  Atomics.store(state, 0, 1);
  Atomics.notify(state, 0);
});
`;

const ANSWER_BYTES = 60;
const PATIENCE_MS = 10_000;

let thread: { worker: Worker; memory: SharedArrayBuffer } | undefined;

/**
 * Makes a symbolic link named `name` in the current directory. Node's permission model refuses this to a process that
 * may not read and write everything, whatever the target. A thread without the model does it instead: it shares the
 * working directory, which the gate has anchored, and gets a bare name. Started at the first link (about 35 ms).
 */
export function makeSymlink(target: string, name: string): void {
  if (process.permission === undefined) {
    symlinkSync(target, name);
    return;
  }
  thread ??= startThread();
  const state = new Int32Array(thread.memory, 0, 1);
  Atomics.store(state, 0, 0);
  thread.worker.postMessage({ target, name });
  if (Atomics.wait(state, 0, 0, PATIENCE_MS) === 'timed-out') {
    void thread.worker.terminate();
    thread = undefined;
    throw new Refusal('unsupported', 'symbolic links cannot be made in this process');
  }
  const bytes = new Uint8Array(thread.memory, 4).slice();
  const code = Buffer.from(bytes.subarray(0, bytes.indexOf(0))).toString();
  if (code !== '') throw Object.assign(new Error(code), { code });
}

function startThread(): { worker: Worker; memory: SharedArrayBuffer } {
  const memory = new SharedArrayBuffer(4 + ANSWER_BYTES);
  // The model is per thread, and on by `execArgv` only: an empty list leaves it off.
  const worker = new Worker(THREAD, { eval: true, execArgv: [], env: {}, workerData: memory });
  worker.on('error', () => {
    thread = undefined;
  });
  worker.unref();
  return { worker, memory };
}
