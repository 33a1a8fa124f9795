import type { CommandRule } from '../../../protocol/plan.js';
import { hasAllFlags, presentFlags } from '../../../protocol/present-flags.js';

/** What the interpreter runs under a name. */
interface Runnable {
  name: string;
  execute(args: string[], context: unknown): Promise<{ stdout: string; stderr: string; exitCode: number }>;
}

/** As a shell that found a program and was not allowed to run it. */
const NOT_EXECUTABLE = 126;

/**
 * The commands of a shell, those that rules name behind a gate. It sees the words a command is started with, after every
 * expansion, whoever starts it: a line, `xargs`, `find -exec`, a script.
 */
export function gateCommands<Command>(
  commands: ReadonlyMap<string, Command>,
  rules: readonly CommandRule[],
): ReadonlyMap<string, Command> {
  if (rules.length === 0) return commands;
  const gated = new Map(commands);
  for (const name of new Set(rules.map(({ program }) => program))) {
    const command = commands.get(name);
    if (command === undefined) continue;
    const own = rules.filter(({ program }) => program === name);
    gated.set(name, gate(command as unknown as Runnable, own) as unknown as Command);
  }
  return gated;
}

function gate(command: Runnable, rules: readonly CommandRule[]): Runnable {
  return Object.assign(Object.create(command) as Runnable, {
    async execute(args: string[], context: unknown) {
      return refusalBy(rules, command.name, args) ?? command.execute(args, context);
    },
  });
}

/** What a shell answers instead of starting a program that rules deny. */
export function refusalBy(
  rules: readonly CommandRule[],
  name: string,
  args: readonly string[],
): { stdout: string; stderr: string; exitCode: number } | undefined {
  const rule = rules.find((one) => one.program === name && deniesArguments(one, args));
  if (rule === undefined) return undefined;
  const reason = rule.reason === undefined ? '' : ` (${rule.reason})`;
  return {
    stdout: '',
    stderr: `bash: ${name}: denied by the rule '${rule.rule}'${reason}\n`,
    exitCode: NOT_EXECUTABLE,
  };
}

/** Whether a rule is about a program called with these words. */
function deniesArguments({ operands, flags, names, form }: CommandRule, args: readonly string[]): boolean {
  return hasOperands(operands, args) && (flags.length === 0 || hasAllFlags(flags, presentFlags(args, { names, form })));
}

/** In order, with options between them; whether an option takes the next word is not known, so both may be. */
function hasOperands(wanted: readonly string[], args: readonly string[]): boolean {
  let places = new Set([0]);
  for (const word of wanted) {
    const next = new Set<number>();
    for (const at of reachable(places, args)) if (args[at] === word) next.add(at + 1);
    if (next.size === 0) return false;
    places = next;
  }
  return true;
}

function reachable(starts: ReadonlySet<number>, args: readonly string[]): Set<number> {
  const found = new Set(starts);
  for (const at of found) {
    const word = args[at];
    if (word === undefined || !word.startsWith('-') || word === '-') continue;
    found.add(at + 1);
    if (!word.includes('=')) found.add(at + 2);
  }
  return found;
}
