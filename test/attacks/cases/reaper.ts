import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Attacks, within } from '../attack.js';
import { type Program, startCaisson, startFixture } from '../command-line.js';
import { eventually } from '../eventually.js';
import { isRunning, privateDirectoriesOf } from '../processes.js';
import type { Stage } from '../stage.js';

export const reaper: Attacks = {
  'HOST-028': within(60_000, async (stage) => {
    const host = startFixture(stage, 'many-sessions.mjs', '20');
    const workers = await workersSaid(host);
    expect(workers.length).toBeGreaterThanOrEqual(20);
    expect(privateDirectoriesOf(host.pid)).toHaveLength(20);
    host.kill('SIGKILL');
    await host.finished;
    // Before anybody starts again: each worker sees its host go.
    await expectGone(workers);
    const again = startFixture(stage, 'idle-host.mjs');
    expect((await again.finished).stdout).toBe('started\n');
    await eventually('what the killed host kept is swept up', () => privateDirectoriesOf(host.pid).length === 0);
    expect(privateDirectoriesOf(again.pid)).toEqual([]);
  }),

  'HOST-029': within(90_000, async (stage) => {
    const ways: [end: string, signals: NodeJS.Signals[], code: number | null][] = [
      ['exit', [], 7],
      ['throw', [], 1],
      ['reject', [], 1],
      ['wait', ['SIGINT'], null],
      ['wait', ['SIGTERM'], null],
      ['wait', ['SIGHUP'], null],
    ];
    for (const [end, signals, code] of ways) {
      const host = startFixture(stage, 'many-sessions.mjs', '2', end);
      const workers = await workersSaid(host);
      for (const signal of signals) host.kill(signal);
      const finished = await inTime(host);
      expect(finished.code, `${end} ${signals}`).toBe(code);
      await expectGone(workers);
    }
    const commandLine: [signals: NodeJS.Signals[], code: number][] = [
      [['SIGINT'], 130],
      [['SIGINT', 'SIGINT'], 130],
      [['SIGTERM'], 143],
      [['SIGHUP'], 129],
    ];
    for (const [signals, code] of commandLine) await interruptCommandLine(stage, signals, code);
  }),
};

/** The command line puts its sandbox away, and says by its exit code what ended it. */
async function interruptCommandLine(stage: Stage, signals: NodeJS.Signals[], code: number): Promise<void> {
  const command = 'echo > started; while :; do :; done';
  const project = stage.project();
  const program = startCaisson(stage, 'call', 'shell', '-w', project.root, '--args', JSON.stringify({ command }));
  await eventually('the command runs', () => existsSync(project.at('started')), 15_000);
  for (const signal of signals) {
    program.kill(signal);
    await sleep(20);
  }
  const finished = await inTime(program);
  expect(finished.code, signals.join(' ')).toBe(code);
  await eventually('nothing is left of it', () => privateDirectoriesOf(program.pid).length === 0);
}

async function workersSaid(host: Program): Promise<number[]> {
  const said = await host.said(']\n');
  return JSON.parse(said.slice(said.indexOf('['))) as number[];
}

async function expectGone(workers: number[]): Promise<void> {
  await eventually('every worker is gone', () => workers.every((pid) => !isRunning(pid)));
}

async function inTime(program: Program): Promise<Awaited<Program['finished']>> {
  const late = sleep(10_000, undefined, { ref: false }).then(() => {
    throw new Error('It did not end within 10 s');
  });
  return await Promise.race([program.finished, late]);
}
