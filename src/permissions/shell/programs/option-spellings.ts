import type { FlagForm, FlagSpellings } from '../../../sandbox/present-flags.js';
import { OPTION_TABLE } from './option-table.js';
import { optionOwners } from './program-names.js';

/** The tokens of a line, by the program, and its subcommands where they have options of their own. */
const LINES: ReadonlyMap<string, string> = new Map(
  OPTION_TABLE.trim()
    .split('\n')
    .flatMap((line) => {
      const [owners = '', tokens = ''] = line.split(': ');
      return owners.split(', ').map((owner): [string, string] => [owner, tokens]);
    }),
);

const PROGRAMS: ReadonlySet<string> = new Set([...LINES.keys()].map((owner) => owner.split(' ')[0] ?? ''));
const NONE: FlagSpellings = { names: {} };
const read = new Map<string, FlagSpellings>();

/**
 * How options are spelled by a program and subcommands; of a program alone, by any of its subcommands. The long ones of
 * a rule that the table does not have are added: they may be abbreviated too.
 */
export function optionSpellings(
  program: string,
  operands: readonly string[],
  given: readonly string[] = [],
): FlagSpellings {
  const known = knownSpellings(program, operands);
  if (known === NONE) return known;
  const own = given.flatMap((flag) => /^--[a-z][^=]*/i.exec(flag)?.[0] ?? []);
  const names = Object.keys(known.names);
  const missing = own.filter((flag) => !names.some((name) => name.startsWith(flag)));
  if (missing.length === 0) return known;
  return { ...known, names: { ...known.names, ...Object.fromEntries(missing.map((flag) => [flag, flag])) } };
}

function knownSpellings(program: string, operands: readonly string[]): FlagSpellings {
  const owner = optionOwners(program).find((name) => PROGRAMS.has(name));
  if (owner === undefined) return NONE;
  const key = [owner, ...operands.slice(0, 2)].join(' ');
  const known = read.get(key);
  if (known !== undefined) return known;
  const made = readSpellings(owner, operands);
  read.set(key, made);
  return made;
}

function readSpellings(program: string, operands: readonly string[]): FlagSpellings {
  const owners = [program, `${program} ${operands[0]}`, `${program} ${operands[0]} ${operands[1]}`];
  const lines = owners.flatMap((owner) => LINES.get(owner) ?? []);
  if (operands.length === 0)
    for (const [owner, tokens] of LINES) if (owner.startsWith(`${program} `)) lines.unshift(tokens);
  if (lines.length === 0) return NONE;
  const tokens = lines.join(' ').split(' ');
  const form: FlagForm | undefined = tokens.includes('-') ? 'one dash' : tokens.find((token) => token === 'bundled');
  const spell = (name: string) => (name.length === 1 && form !== 'one dash' ? name : `--${name}`);
  const names: Record<string, string> = {};
  for (const token of tokens) {
    if (token !== '-' && token !== 'bundled') addToken(token, names, spell);
  }
  for (const token of tokens) addSum(token, names, spell);
  return { names, form };
}

function addToken(token: string, names: Record<string, string>, spell: (name: string) => string): void {
  const [first = '', ...others] = token.split('>')[0]?.split('=') ?? [];
  for (const name of [first, ...others]) names[spell(name)] = spell(first);
}

/** An option that stands for others: so do its other names. */
function addSum(token: string, names: Record<string, string>, spell: (name: string) => string): void {
  const [name = '', parts] = token.split('>');
  if (parts === undefined) return;
  const own = spell(name);
  const all = parts.split(',').map(spell).join(' ');
  for (const [other, meaning] of Object.entries(names)) if (meaning === own) names[other] = all;
}
