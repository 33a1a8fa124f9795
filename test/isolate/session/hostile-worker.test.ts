import { describe, expect, it } from 'vitest';
import { encodeFrame } from '../../../sandbox/protocol/frame.js';
import { type WorkerEnd, WorkerProcess } from '../../../src/sandbox/isolate/worker-process.js';

/** Runs a script in the worker's place: what the host would meet if the worker's process were taken over. */
function worker(script: string): { messages: unknown[]; end: Promise<WorkerEnd>; process: WorkerProcess } {
  const messages: unknown[] = [];
  const { promise: end, resolve } = Promise.withResolvers<WorkerEnd>();
  const process = new WorkerProcess(['-e', script], {
    message: (message) => messages.push(message),
    ended: resolve,
  });
  return { messages, end, process };
}

const write = (...chunks: Uint8Array[]) =>
  `require('fs').writeSync(1, Buffer.from('${Buffer.concat(chunks).toString('base64')}', 'base64'));`;
const forever = 'setInterval(() => {}, 1000);';

describe('a worker process that is not ours any more', () => {
  it('is ended when it sends bytes that are no frame', async () => {
    const { end, messages } = worker(write(Buffer.alloc(64, 0xff)) + forever);
    expect(await end).toBe('protocol');
    expect(messages).toEqual([]);
  });

  it('is ended when it sends a frame that is no message', async () => {
    for (const header of [
      { type: 'nothing' },
      { type: 'output', id: -1, stream: 'stdout' },
      { type: 'ready', extra: 1 },
      [],
      { __proto__: null },
    ]) {
      const { end } = worker(write(...encodeFrame(header)) + forever);
      expect(await end).toBe('protocol');
    }
  });

  it('is ended when it announces gigabytes, before any arrive', async () => {
    const prefix = Buffer.alloc(8);
    prefix.writeUInt32BE(2, 0);
    prefix.writeUInt32BE(0xffff_ffff, 4);
    const { end } = worker(write(prefix) + forever);
    expect(await end).toBe('protocol');
  });

  it('keeps what it said before', async () => {
    const good = { type: 'output', id: 1, stream: 'stdout' };
    const { end, messages } = worker(write(...encodeFrame(good), Buffer.alloc(8, 0xff)) + forever);
    expect(await end).toBe('protocol');
    expect(messages).toEqual([good]);
  });

  it('that ends by itself has crashed; that names a reason is believed only for reasons there are', async () => {
    expect(await worker('process.exit(0)').end).toBe('crashed');
    expect(await worker("require('fs').writeSync(4, 'oom'); process.kill(process.pid, 'SIGKILL')").end).toBe('oom');
    expect(await worker("require('fs').writeSync(4, 'all is well'); process.exit(0)").end).toBe('crashed');
    expect(await worker('process.abort()').end).toBe('oom');
  });

  it('cannot hold up its own end by ignoring signals or flooding stderr', async () => {
    const flooding = worker(
      "process.on('SIGTERM', () => {}); setInterval(() => process.stderr.write('x'.repeat(1e5)), 1);",
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    await flooding.process.kill('disposed');
    expect(await flooding.end).toBe('disposed');
  });
});
