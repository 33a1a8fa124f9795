import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WorkerDriver } from './worker-driver.js';

const MiB = 1024 * 1024;

describe('megabytes of bytes that are no text', () => {
  it.each(['cat > out', 'cat | cat > out', 'cat > in; cat < in >> out', 'cat > in; cp in out', 'tee out > /dev/null'])(
    'go from stdin into a file with little time and memory: %s',
    async (command) => {
      await using worker = await WorkerDriver.start();
      const bytes = randomBytes(24 * MiB);
      const answer = await worker.exec(command, { stdin: bytes, timeoutMs: 18_000 });
      expect(answer).toMatchObject({ exitCode: 0, text: '', stderr: '' });
      expect(readFileSync(join(worker.workspace, 'out')).equals(bytes)).toBe(true);
    },
  );

  it.each(['cat', 'cat 2>&1', '{ cat; } | cat', 'f() { cat; }; f > out; cat out', 'exec 3>&1; cat >&3'])(
    'come out unchanged: %s',
    async (command) => {
      await using worker = await WorkerDriver.start();
      const bytes = randomBytes(4 * MiB);
      const answer = await worker.exec(command, { stdin: bytes, timeoutMs: 18_000, maxOutputBytes: 5 * MiB });
      expect(answer.stdout.equals(bytes)).toBe(true);
    },
  );
});

describe('a session that has seen bytes that are no text', () => {
  it('prints megabytes as fast as before', async () => {
    await using worker = await WorkerDriver.start();
    const before = await printingMs(worker);
    await worker.exec("printf '\\303\\251\\377\\000\\200x' > made; printf '\\303\\251\\377' | cat; cat made");
    expect(await printingMs(worker)).toBeLessThan(2 * before + 50);
  });
});

/** The least of the processor time, which does not depend on what else the machine does, of some calls. */
async function printingMs(worker: WorkerDriver): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < 4; call += 1) {
    const before = processorMs(worker);
    const { exitCode } = await worker.exec('x=$(printf %65536s a); for i in {1..128}; do echo "$x"; done');
    expect(exitCode).toBe(0);
    times.push(processorMs(worker) - before);
  }
  return Math.min(...times);
}

function processorMs({ child }: WorkerDriver): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  // User and system time, in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
