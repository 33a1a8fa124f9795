import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { expect } from 'vitest';
import type { SandboxSession, WorkspaceMode } from '../../../src/sandbox/contract.js';
import { type Attacks, within } from '../attack.js';
import { startAttacker } from '../attackers.js';
import { call } from '../call.js';
import { expectAnswers } from '../evaluate.js';
import type { Project, Stage } from '../stage.js';

const RACE_MS = 1_500;
const MODES: WorkspaceMode[] = ['direct', 'overlay'];

/** `a0` is the workspace: `dir` becomes a link to the directory outside and back; a `dir` made meanwhile gives way. */
const SWAP_DIRECTORY = `
  attempt(() => {
    if (!fs.existsSync(a0 + '/away')) return;
    if (!fs.lstatSync(a0 + '/dir').isSymbolicLink()) fs.rmSync(a0 + '/dir', { recursive: true });
  });
  attempt(() => fs.renameSync(a0 + '/away', a0 + '/dir'));
  attempt(() => fs.renameSync(a0 + '/dir', a0 + '/away'));
  attempt(() => fs.renameSync(a0 + '/link', a0 + '/dir'));
  attempt(() => fs.renameSync(a0 + '/dir', a0 + '/link'));
  attempt(() => fs.renameSync(a0 + '/away', a0 + '/dir'));`;

/** `a0` is the workspace, `a1` the directory outside: the file itself becomes a link and back. */
const SWAP_FILE = `
  attempt(() => fs.symlinkSync(a1 + '/secret.txt', a0 + '/next'));
  attempt(() => fs.renameSync(a0 + '/next', a0 + '/f.txt'));
  attempt(() => fs.writeFileSync(a0 + '/next', 'inside'));
  attempt(() => fs.renameSync(a0 + '/next', a0 + '/f.txt'));`;

export const fsRace: Attacks = {
  'FS-009': within(40_000, async (stage) => {
    for (const mode of MODES) {
      const race = await startRace(stage, mode, SWAP_DIRECTORY);
      const reads = await race.run((session) => session.fs.readFile('dir/secret.txt').then(textOrNull));
      expect(
        reads.some((read) => read === 'inside'),
        'no read found the real file',
      ).toBe(true);
      race.expectNoLeak(reads);
    }
  }),

  'FS-010': within(40_000, async (stage) => {
    for (const mode of MODES) {
      const race = await startRace(stage, mode, SWAP_FILE);
      const reads = await race.run((session) => session.fs.readFile('f.txt').then(textOrNull));
      expect(
        reads.some((read) => read === 'inside'),
        'no read found the real file',
      ).toBe(true);
      race.expectNoLeak(reads);
      const writes = await race.run((session) => session.fs.writeFile('f.txt', 'inside').then(() => 'written'));
      race.expectNoLeak(writes);
      const commands = await race.run((session) =>
        session.exec('cat f.txt dir/secret.txt').then((result) => result.stdout),
      );
      race.expectNoLeak(commands);
    }
  }),

  'FS-011': within(40_000, async (stage) => {
    for (const mode of MODES) {
      const race = await startRace(stage, mode, SWAP_DIRECTORY);
      const host = stage.host({ sandbox: race.session });
      let number = 0;
      const created = await race.run(async (session) => {
        await session.fs.writeFile(`dir/new/deep-${number++}/x.txt`, 'mine');
        return 'written';
      });
      const edits = await race.run(async () => {
        const [old_string, new_string] = number++ % 2 === 0 ? ['old ', 'new '] : ['new ', 'old '];
        return JSON.stringify(
          await call(host, 'edit_file', { path: 'dir/edited.txt', old_string, new_string, replace_all: true }),
        );
      });
      const commands = await race.run((session) =>
        session
          .exec('mkdir -p dir/c; echo x > dir/c/x; mv dir/c/x dir/c/y; rm -r dir/c')
          .then((result) => result.stderr),
      );
      race.expectNoLeak([...created, ...edits, ...commands]);
      await race.expectWhole('edited.txt', ['old '.repeat(1_000), 'new '.repeat(1_000)]);
    }
  }),
};

interface Race {
  session: SandboxSession;
  /** Repeats an attempt, some at a time, for a while; refusals count as answers. */
  run(attempt: (session: SandboxSession) => Promise<string>): Promise<string[]>;
  expectNoLeak(answers: string[]): void;
  /** Wherever the file is now, it holds one of these contents. */
  expectWhole(name: string, contents: string[]): Promise<void>;
}

async function startRace(stage: Stage, mode: WorkspaceMode, swap: string): Promise<Race> {
  const project = stage.project({
    'dir/secret.txt': 'inside',
    'dir/edited.txt': 'old '.repeat(1_000),
    'f.txt': 'inside',
  });
  symlinkSync(project.outside, project.at('link'));
  const session = stage.sandbox({ workspace: project.root, workspaceMode: mode });
  await expectAnswers(session);
  await startAttacker(stage, swap, project.root, project.outside);
  return {
    session,
    run: (attempt) => repeat(() => attempt(session).catch((error: Error) => `refused: ${error.message}`)),
    expectNoLeak: (answers) => expectNoLeak(answers, project),
    expectWhole: async (name, contents) => {
      const onHost = ['dir', 'away'].flatMap((directory) => readIfThere(project.at(`${directory}/${name}`)));
      const inside = await session.fs.readFile(`dir/${name}`).then(textOrNull, () => 'nothing there');
      const partial = [...onHost, inside].filter((text) => text !== 'nothing there' && !contents.includes(text));
      expect(partial).toEqual([]);
    },
  };
}

async function repeat(attempt: () => Promise<string>): Promise<string[]> {
  const answers: string[] = [];
  const end = performance.now() + RACE_MS / 3;
  const lane = async () => {
    while (performance.now() < end) answers.push(await attempt());
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
  return answers;
}

function expectNoLeak(answers: string[], project: Project): void {
  expect(answers.length).toBeGreaterThan(20);
  expect(answers.filter((answer) => answer.includes(project.secret))).toEqual([]);
  expect(answers.filter((answer) => answer.includes(project.root))).toEqual([]);
  expect(readdirSync(project.outside)).toEqual(['secret.txt']);
  expect(readFileSync(`${project.outside}/secret.txt`, 'utf8')).toBe(project.secret);
}

function textOrNull(bytes: Uint8Array | null): string {
  return bytes === null ? 'nothing there' : Buffer.from(bytes).toString('utf8');
}

function readIfThere(path: string): string[] {
  try {
    return [readFileSync(path, 'utf8')];
  } catch {
    return [];
  }
}
