import { describe, expect, it } from 'vitest';
import { parsePolicy } from '../../../src/permissions/policy.js';
import { readShellCommand } from '../../../src/permissions/shell/read-shell-command.js';
import { generateScript } from './generate-script.js';
import { Random } from './random.js';
import { damagedScript, randomScript } from './random-script.js';
import { readableScript } from './readable-script.js';
import { literalCommands, MISREAD } from './second-opinion.js';

/** A second parser of another family takes some milliseconds for each. */
const SCRIPTS = 1_000;
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_130);
const MAKERS = [readableScript, generateScript, damagedScript, randomScript];

const policy = parsePolicy({ deny: ['shell(zap:*)', 'shell(git push:*)'] });

describe('reading a command, against a second parser', () => {
  it('allows no script in which mvdan/sh sees a literal command that was not seen', () => {
    const random = new Random(SEED);
    const counts = { compared: 0, commands: 0, differ: 0 };
    const open: string[] = [];
    for (let index = 0; index < SCRIPTS; index += 1) {
      const script = MAKERS[index % MAKERS.length]?.(random) ?? '';
      const commands = MISREAD.test(script) ? undefined : literalCommands(script);
      if (commands === undefined) continue;
      const seen = new Set(readShellCommand(script).commands.map(({ words }) => JSON.stringify(words)));
      counts.compared += 1;
      counts.commands += commands.length;
      if (commands.every((words) => seen.has(JSON.stringify(words)))) continue;
      counts.differ += 1;
      if (policy.decide({ toolName: 'shell', args: { command: script } }).effect !== 'deny') open.push(script);
    }
    process.stdout.write(
      `second opinion: seed ${SEED}, ${counts.commands} literal commands in ${counts.compared} scripts, ${counts.differ} scripts read otherwise, ${open.length} of them allowed\n`,
    );
    expect(open, `FUZZ_SEED=${SEED}`).toEqual([]);
    expect(counts.commands).toBeGreaterThan(SCRIPTS);
  }, 120_000);
});
