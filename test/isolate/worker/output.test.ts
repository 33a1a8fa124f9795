import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkerDriver } from './worker-driver.js';

let worker: WorkerDriver;
beforeAll(async () => {
  worker = await WorkerDriver.start();
});
afterAll(() => worker[Symbol.asyncDispose]());

/** What came as `output` frames of a call, in order. */
function streamed(id: number): { stdout: Buffer; stderr: Buffer } {
  const of = (stream: string) =>
    Buffer.concat(
      worker.received.filter((m) => m.type === 'output' && m.id === id && m.stream === stream).map((m) => m.body),
    );
  return { stdout: of('stdout'), stderr: of('stderr') };
}

/** Each script with the number of `output` frames that must come before its end. */
const SCRIPTS = [
  'echo a; sleep 0.05; echo b',
  'for i in 1 2 3; do echo $i; sleep 0.03; done',
  'f() { echo in; echo err >&2; }; f; x=$(f 2>/dev/null); echo "[$x]"',
  'seq 5 | while read -r l; do echo "l$l"; echo e >&2; done',
  'if echo c; then echo t; fi; { echo g; echo h; } | cat; (echo s; exit 3); echo $?',
  'ls nosuch 2>&1; echo x > f; cat f; echo y >&2 2>/dev/null; { echo o; echo e >&2; } 2>&1',
  'eval "echo e1; echo e2"; echo "echo sourced" > s; . ./s; bash -c "echo child"; echo 1 2 | xargs -n1 echo',
  'while true; do echo w; break; done; until echo u; do :; done; case x in x) echo case;; esac; echo end; exit 4',
  'set -e; echo before; false; echo never',
  'set -x; echo traced; set +x; time echo timed',
  'exec 3>&1; echo to3 >&3; exec > redirected; echo gone; exec 1>&3; echo back',
  'f() { echo named; } > infile; f; cat infile; diff <(echo a) <(echo b) | head -3; tee t <<< tee | cat',
];

describe('output frames', () => {
  it.each(SCRIPTS)('add up to the result of: %s', async (script) => {
    const id = worker.nextId();
    const answer = await worker.exec(script, { id });
    const frames = streamed(id);
    expect(frames.stdout.toString()).toBe(answer.text);
    expect(frames.stderr.toString()).toBe(answer.stderr);
  });

  it('come while the command runs', async () => {
    const id = worker.nextId();
    const call = worker.exec('for i in 1 2; do echo $i; sleep 0.4; done', { id });
    const first = await worker.wait((message) => message.type === 'output' && message.id === id);
    expect(first.body.toString()).toBe('1\n');
    expect(worker.received.some((message) => message.type === 'exec-result')).toBe(false);
    expect((await call).text).toBe('1\n2\n');
  });

  it('come from a busy command too', async () => {
    const id = worker.nextId();
    const call = worker.exec('echo first; i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo $i; done', { id });
    await worker.wait((message) => message.type === 'output' && message.id === id);
    await call;
  });

  it('are left out for quiet calls that are quick', async () => {
    const lengths: number[] = [];
    for (let call = 0; call < 30; call += 1) {
      const id = worker.nextId();
      expect((await worker.exec('echo hi', { id, quiet: true })).text).toBe('hi\n');
      lengths.push(streamed(id).stdout.length);
    }
    // On a busy machine one or another is not quick.
    expect(lengths).toContain(0);
  });
});

describe('output over its limit', () => {
  it('keeps the beginning and the end and counts the rest', async () => {
    const answer = await worker.exec('seq 1 100000', { maxOutputBytes: 100 });
    expect(answer.stdout.length).toBe(100);
    expect(answer.text).toMatch(/^1\n2\n3\n/);
    expect(answer.text).toMatch(/99999\n100000\n$/);
    expect(answer.droppedStdoutBytes).toBe(588_895 - 100);
  });

  it('sends no more than the limit while the command runs', async () => {
    const id = worker.nextId();
    await worker.exec('i=0; while [ $i -lt 2000 ]; do i=$((i+1)); echo $i; done', { id, maxOutputBytes: 50 });
    expect(streamed(id).stdout.length).toBe(50);
  });

  it('loses nothing that fits exactly', async () => {
    const answer = await worker.exec('printf 0123456789', { maxOutputBytes: 10 });
    expect([answer.text, answer.droppedStdoutBytes]).toEqual(['0123456789', 0]);
  });
});
