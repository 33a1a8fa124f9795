import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parsePolicy } from '../../src/permissions/policy.js';
import type { RuleEffect } from '../../src/permissions/rules/rule.js';

interface Reaching {
  deny?: string[];
  /** Beside these, what is not allowed is asked about. */
  allow?: string[];
  command: string;
  expect: RuleEffect;
}

const readLines = (name: string) =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

const EVERYDAY = readLines('./everyday-commands.txt');
const THROUGH = readLines('./everyday-through-directories.txt');
const REACHING = readLines('./reaching-commands.jsonl').map((line) => JSON.parse(line) as Reaching);

function effectOf(command: string, deny: string[], allow?: string[]): RuleEffect {
  const policy = allow === undefined ? { deny } : { deny, allow, default: 'ask' as const };
  return parsePolicy(policy).decide({ toolName: 'shell', args: { command } }).effect;
}

describe('where only the text of a command is checked', () => {
  it.each(EVERYDAY)('%s stays allowed beside a denied file, a denied directory and a denied program', (line) => {
    // A line of the table may hold a here-document.
    const command = line.startsWith('python3 <<') ? line.replaceAll('\\n', '\n') : line;
    expect(effectOf(command, ['read_file(.env)', 'write_file(guard/**)', 'shell(dd:*)'])).toBe('allow');
  });

  it.each(THROUGH)('%s stays allowed where no denied name can be in the directory', (command) => {
    expect(effectOf(command, ['read_file(/.env)', 'write_file(/guard/**)'])).toBe('allow');
  });

  it.each(
    REACHING.map(
      (one) => [one.command, [...(one.deny ?? []), ...(one.allow ?? [])].join(' and '), one.expect, one] as const,
    ),
  )('%j beside %s is answered with %s', (_command, _rules, _expect, { command, deny = [], allow, expect: effect }) => {
    expect(effectOf(command, deny, allow)).toBe(effect);
  });
});
