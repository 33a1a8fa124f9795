import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { WATCH_STATE_BYTES, WatchState } from '../../../sandbox/isolate/watch/watch-state.js';
import { IsolateWorker, type WorkerCall } from '../../../src/sandbox/isolate/isolate-worker.js';
import type { WorkerEnd } from '../../../src/sandbox/isolate/worker-process.js';
import { deathOf, WorkerDriver } from './worker-driver.js';

const MiB = 1024 * 1024;

describe('the watchdog and the main thread', () => {
  const shared = () => new SharedArrayBuffer(WATCH_STATE_BYTES);

  it('agree on what runs: a call that is over can no longer be claimed', () => {
    const state = new WatchState(shared());
    state.begin(1, 1000);
    state.end();
    state.begin(2, 1000);
    expect([state.claim(1), state.claim(0), state.claim(2)]).toEqual([false, false, true]);
  });

  it('agree that nothing runs', () => {
    const state = new WatchState(shared());
    state.begin(1, 1000);
    state.end();
    expect([state.claim(1), state.claim(0)]).toEqual([false, true]);
  });

  it('do not let a cancellation that comes late hit the next call', () => {
    const state = new WatchState(shared());
    state.begin(1, 1000);
    state.end();
    state.begin(2, 1000);
    state.cancel(1);
    expect(state.cancelled).toBe(false);
    state.cancel(2);
    expect(state.cancelled).toBe(true);
    state.end();
    state.begin(3, 1000);
    expect(state.cancelled).toBe(false);
  });

  it.each(['end', 'begin'])('stop the main thread at its next %s once the process is to end', async (step) => {
    const memory = shared();
    const state = new WatchState(memory);
    if (step === 'end') state.begin(1, 1000);
    expect(state.claim(step === 'end' ? 1 : 0)).toBe(true);
    const source = new URL('../../../sandbox/isolate/watch/watch-state.ts', import.meta.url).href;
    const code = `
      const { workerData, parentPort } = require('node:worker_threads');
      require('node:module').registerHooks({
        resolve: (name, context, next) => next(name.startsWith('.') ? name.replace(/\\.js$/, '.ts') : name, context),
      });
      import(${JSON.stringify(source)}).then(({ WatchState }) => {
        parentPort.postMessage('there');
        const state = new WatchState(workerData);
        ${step === 'end' ? 'state.end()' : 'state.begin(2, 1000)'};
        parentPort.postMessage('went on');
      });`;
    const thread = new Worker(code, { eval: true, workerData: memory });
    const heard: unknown[] = [];
    thread.on('message', (message) => heard.push(message));
    while (heard.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await new Promise((resolve) => setTimeout(resolve, 200));
    await thread.terminate();
    expect(heard).toEqual(['there']);
  });
});

describe('a worker that ends itself', () => {
  it('says over which call', async () => {
    await using worker = await WorkerDriver.start();
    await worker.exec('true');
    const id = worker.nextId();
    const death = await deathOf(worker.exec("awk 'BEGIN { while (1) {} }'", { timeoutMs: 200, id }));
    expect(death).toMatchObject({ lastWords: 'timeout', call: id });
  });

  it('says over which evaluation', async () => {
    await using worker = await WorkerDriver.start({ memoryBytes: 192 * MiB });
    const id = worker.nextId();
    const code = 'const kept = []; for (;;) kept.push(new Array(100000).fill(kept.length));';
    const death = await deathOf(worker.evaluate(code, { timeoutMs: 15_000, id }));
    expect(death).toMatchObject({ lastWords: 'oom', call: id });
  });

  it('does so between calls when little memory is left, which is nobody’s fault', async () => {
    await using usual = await WorkerDriver.start();
    const memoryBytes = Math.floor(1.22 * residentBytes(usual));
    await using worker = await WorkerDriver.start({ memoryBytes });
    expect((await worker.exec('echo hi')).text).toBe('hi\n');
    expect(await worker.death).toMatchObject({ signal: 'SIGKILL', lastWords: 'oom', call: 0 });
  });
});

function residentBytes({ child }: WorkerDriver): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'latin1');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

/** A worker process that answers its first call, and with its second on the way ends as it is told. */
const ANSWERS_ONCE = (words: string) => `
  const frame = (header) => {
    const json = Buffer.from(JSON.stringify(header));
    const prefix = Buffer.alloc(8);
    prefix.writeUInt32BE(json.length, 0);
    require('node:fs').writeSync(1, Buffer.concat([prefix, json]));
  };
  let seen = '';
  process.stdin.on('data', (bytes) => {
    seen += bytes.toString('latin1');
    if (seen.includes('"id":2')) {
      require('node:fs').writeSync(4, ${JSON.stringify(words)});
      process.kill(process.pid, 'SIGKILL');
    } else if (seen.includes('"id":1')) frame({ type: 'file-result', id: 1, value: true });
  });
  frame({ type: 'ready', pid: process.pid, snapshotBuilt: false, uid: 0 });`;

const workers: IsolateWorker[] = [];
afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.kill('disposed'))));

describe('a call on a worker that ended itself', () => {
  it.each([
    ['timeout 1', { end: 'timeout', started: false }],
    ['timeout 2', { end: 'timeout', started: true }],
    ['oom 0', { end: 'oom', started: false }],
    ['oom', { end: 'oom', started: true }],
    ['', { end: 'crashed', started: true }],
  ])('is blamed only when the worker names it: %s', async (words, expected) => {
    const worker = new IsolateWorker({
      nodeArguments: ['-e', ANSWERS_ONCE(words)],
      init: {
        type: 'init',
        role: 'files',
        mode: 'memory',
        privateRoot: '/',
        plan: { denyRead: [], denyWrite: [] },
        memoryBytes: 0,
        maxDiskBytes: 0,
        maxDiskEntries: 0,
      },
    });
    workers.push(worker);
    await worker.ready;
    await answered(worker);
    expect(await answered(worker)).toEqual(expected);
  });
});

/** How a call ended: undefined when it was answered. */
function answered(worker: IsolateWorker): Promise<{ end: WorkerEnd; started: boolean } | undefined> {
  return new Promise((resolve) => {
    const call: WorkerCall = {
      request: (id) => ({ message: { type: 'file', id, operation: { op: 'discard' } } }),
      receive: () => {
        resolve(undefined);
        return true;
      },
      lost: (end, started) => resolve({ end, started }),
    };
    worker.begin(call);
  });
}
