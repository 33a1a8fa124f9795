import { describe, expect, it } from 'vitest';
import { parsePolicy } from '../../../src/permissions/policy.js';
import { generateScript } from './generate-script.js';
import { Random } from './random.js';
import { damagedScript, randomScript } from './random-script.js';
import { readableScript } from './readable-script.js';
import { type Invocation, runScripts } from './run-scripts.js';

/** The gate runs the same scripts each time; whoever runs it by hand looks for new ones. */
const GATE_SEED = 20_261_130;
const SEED = Number(
  process.env.FUZZ_SEED ?? (process.env.CI === undefined ? Math.floor(Math.random() * 2 ** 31) : GATE_SEED),
);
/** All of them where time is no matter; some on the way. */
const SCRIPTS = Number(process.env.FUZZ_SCRIPTS ?? (process.env.CI === undefined ? 1_000 : 20_000));
const BATCH = 250;
/** What the guard around the reading says when it throws. */
const GUARDED = 'nested too deep';
const AT_ONCE = 2;
/** What must be allowed of the scripts that can be read whole: a `cd` in a loop leaves the place of what follows open. */
const ALLOWED_SHARE = 0.95;

const policy = parsePolicy({ deny: ['shell(zap:*)', 'shell(git push:*)'] });

describe('reading a command, against the real bash', () => {
  it(`denies each of ${SCRIPTS} scripts in which bash runs a denied program (FUZZ_SEED=${SEED})`, async () => {
    const random = new Random(SEED);
    const missed: string[] = [];
    const guarded: string[] = [];
    const counts = { ran: 0, denied: 0 };
    const batches = Array.from({ length: Math.ceil(SCRIPTS / BATCH) }, () => makeBatch(random));
    const work = Array.from({ length: AT_ONCE }, async () => {
      for (let scripts = batches.pop(); scripts !== undefined; scripts = batches.pop()) {
        const found = await runScripts(scripts);
        for (const [index, script] of scripts.entries()) {
          const { effect, why = '' } = policy.decide({ toolName: 'shell', args: { command: script } });
          const denied = effect === 'deny';
          if (why.includes(GUARDED)) guarded.push(script);
          const ran = (found[index] ?? []).some(isDenied);
          if (denied) counts.denied += 1;
          if (ran) counts.ran += 1;
          if (ran && !denied) missed.push(script);
        }
      }
    });
    await Promise.all(work);
    expect(missed, `FUZZ_SEED=${SEED}`).toEqual([]);
    // None of them is deep: the guard caught a failure of the reading, and a denial that nobody meant.
    expect(guarded, `FUZZ_SEED=${SEED}`).toEqual([]);
    // A harness in which nothing runs would be clean as well, and one that denies everything too.
    expect(counts.ran).toBeGreaterThan(SCRIPTS / 5);
    expect(counts.denied).toBeLessThan(SCRIPTS * 0.95);
    process.stdout.write(
      `fuzz: seed ${SEED}, ${SCRIPTS} scripts, ${counts.ran} ran a denied program, ${counts.denied} denied\n`,
    );
  }, 1_800_000);
});

describe('reading a command that runs nothing denied', () => {
  const beside = parsePolicy({
    deny: ['shell(zap:*)', 'shell(git push:*)', 'read_file(/.env)', 'write_file(/guard/**)'],
  });

  it(`allows nearly all that is written out, or a policy that refuses everything would pass (FUZZ_SEED=${SEED})`, async () => {
    const random = new Random(SEED);
    const count = Math.max(BATCH, SCRIPTS / 10);
    const refused: string[] = [];
    const harmful: string[] = [];
    const counts = { harmless: 0, ran: 0 };
    for (let made = 0; made < count; made += BATCH) {
      const scripts = Array.from({ length: BATCH }, () => readableScript(random));
      const found = await runScripts(scripts);
      for (const [index, command] of scripts.entries()) {
        if ((found[index] ?? []).some(isDenied)) {
          harmful.push(command);
          continue;
        }
        counts.harmless += 1;
        counts.ran += (found[index] ?? []).length;
        if (beside.decide({ toolName: 'shell', args: { command } }).effect !== 'allow') refused.push(command);
      }
    }
    const share = 1 - refused.length / counts.harmless;
    process.stdout.write(`fuzz: of ${counts.harmless} readable scripts ${(share * 100).toFixed(1)} % allowed\n`);
    // Only what bash ran is known to be harmless.
    expect(harmful).toEqual([]);
    expect(counts.ran).toBeGreaterThan(count);
    expect(share, refused.slice(0, 3).join('\n---\n')).toBeGreaterThan(ALLOWED_SHARE);
  }, 600_000);
});

function makeBatch(random: Random): string[] {
  return Array.from({ length: BATCH }, () => {
    const kind = random.below(10);
    if (kind < 6) return generateScript(random);
    return kind < 8 ? damagedScript(random) : randomScript(random);
  });
}

function isDenied({ program, words }: Invocation): boolean {
  if (program === 'zap') return true;
  if (program !== 'git') return false;
  let index = 0;
  // A lone `-` is no option of git's: it refuses to go on.
  while (/^-./.test(words[index] ?? '')) index += /^-[Cc]$/.test(words[index] ?? '') ? 2 : 1;
  return words[index] === 'push';
}
