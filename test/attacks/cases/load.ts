import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { createIsolateSandbox } from '../../../src/sandbox/isolate/create-isolate-sandbox.js';
import { type Attacks, within } from '../attack.js';
import { evaluate, expectAnswers, textOf } from '../evaluate.js';
import { eventually } from '../eventually.js';
import { watchHost } from '../host-watch.js';
import { isRunning, proportionalBytes, workersOf } from '../processes.js';

const MiB = 1024 * 1024;

export const load: Attacks = {
  'ISO-113': within(120_000, async (stage) => {
    const sessions = Array.from({ length: 100 }, () => stage.sandbox());
    await startAll(sessions);
    const { result, longestStallMs } = await watchHost(() =>
      Promise.all(sessions.map((session) => watchHost(() => evaluate(session, 'for (;;);', { timeoutMs: 200 })))),
    );
    for (const { result: ended, elapsedMs } of result) {
      expect(ended).toMatchObject({ status: 'error', code: 'timeout' });
      // 2 s on a quiet machine; a hundred endless loops share two cores with other tests here.
      expect(elapsedMs).toBeLessThan(20_000);
    }
    expect(longestStallMs).toBeLessThan(2_000);
    const [one] = sessions;
    if (one !== undefined) await expectAnswers(one);
  }),

  'ISO-115': within(60_000, async (stage) => {
    const before = process.memoryUsage.rss();
    const sessions = Array.from({ length: 300 }, () => stage.sandbox({ idleLifeMs: 3_000 }));
    // A session is nothing but an object until it is used, and again when it has not been used for a while.
    const used = sessions.slice(0, 12);
    await startAll(used);
    const writes = used.map(async (session, index) => {
      await session.fs.writeFile('mine.txt', `${index}`);
      return workersOf(session);
    });
    const workers = (await Promise.all(writes)).flat();
    expect(workers.length).toBeGreaterThanOrEqual(12);
    expect(sessions.slice(12).flatMap((session) => workersOf(session))).toEqual([]);
    // The documented size of a session that works is 75 MB; the rest is for sanitizers and other machines.
    for (const pid of workers) expect(proportionalBytes(pid)).toBeLessThan(130 * MiB);
    await eventually('idle sessions give their workers up', () => workers.every((pid) => !isRunning(pid)), 20_000);
    expect((process.memoryUsage.rss() - before) / 300).toBeLessThan(0.5 * MiB);
    for (const [index, session] of used.slice(0, 3).entries()) {
      expect(textOf(await session.fs.readFile('mine.txt'))).toBe(`${index}`);
    }
  }),

  'RUN-009': within(120_000, async (stage) => {
    const one = stage.sandbox();
    for (const count of [100, 500]) {
      const ended: number[] = [];
      const calls = Array.from({ length: count }, async (_, index) => {
        const id = `call-${count}-${index}`;
        if (index % 2 === 0) {
          const result = await one.exec(`echo ${id} | cat; echo ${id} > f-${index}; cat f-${index}`, {
            env: { ID: id },
          });
          expect(result).toMatchObject({ stdout: `${id}\n${id}\n`, stderr: '', exitCode: 0 });
        } else {
          expect(await evaluate(one, 'return input', { input: { id }, timeoutMs: 60_000 })).toMatchObject({
            value: { id },
          });
        }
        ended.push(index);
      });
      const { grownBytes } = await watchHost(() => Promise.all(calls));
      // First come, first served.
      expect(ended).toEqual(ended.toSorted((a, b) => a - b));
      expect(grownBytes).toBeLessThan(128 * MiB);
    }
    const sessions = Array.from({ length: 50 }, () => createIsolateSandbox({ timeoutMs: 60_000 }));
    stage.defer(() => Promise.all(sessions.map((session) => session.dispose())));
    await startAll(sessions);
    const answers = await Promise.all(
      Array.from({ length: 500 }, async (_, index) => {
        const session = sessions[index % 50];
        if (session === undefined) throw new Error('There is no such session');
        const { stdout } = await session.exec(`echo ${index} >> log; echo answer-${index}`);
        return stdout === `answer-${index}\n`;
      }),
    );
    expect(answers.every(Boolean)).toBe(true);
    for (const [number, session] of sessions.slice(0, 5).entries()) {
      const own = Array.from({ length: 10 }, (_, turn) => `${number + turn * 50}\n`).join('');
      expect(textOf(await session.fs.readFile('log'))).toBe(own);
    }
  }),
};

/** A few at a time: what is attacked is not how many can start at once. */
async function startAll(sessions: { start(): Promise<void> }[]): Promise<void> {
  const waiting = [...sessions];
  const lane = async () => {
    for (let session = waiting.pop(); session !== undefined; session = waiting.pop()) await session.start();
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
  await sleep(10);
}
