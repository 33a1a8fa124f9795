import { shownPath } from '../paths/call-path.js';
import { type AskedPath, askedPath } from '../paths/path-pattern.js';
import { matchRestricting } from '../rules/command-pattern.js';
import type { CompiledRule } from '../rules/compiled-rule.js';
import { matchesDomain } from '../rules/domain.js';
import { type PathIndex, RuleIndex } from '../rules/rule-index.js';
import { coveringTools, isFileTool, writeTwin } from '../rules/tool-names.js';
import { respelled } from '../shell/programs/respelled-commands.js';
import type { ShellCommand, ShellReading } from '../shell/syntax/shell-command.js';
import { GLOB, HOLE, isMark, NAME, ONE, SPREAD, showWord } from '../text/marks.js';
import { couldMatch } from '../text/wildcard.js';
import { argument, type CallFacts } from './call-facts.js';
import { commandPart, type Finding } from './finding.js';
import type { Touch } from './touch.js';

export interface RestrictingOptions {
  /** Whether the sandbox answers for a rule's paths, whatever the command; or for what only touches `existing` files. */
  enforces: (rule: CompiledRule, existing?: boolean) => boolean;
}

export type Found = { rule: CompiledRule; finding: Finding };

/** The deny rules, or the ask rules, of a policy. */
export class RestrictingRules {
  readonly #index: RuleIndex;

  constructor(rules: readonly CompiledRule[]) {
    this.#index = new RuleIndex(rules);
  }

  /**
   * The rule that counts: one that certainly matches before one that could, and the first of those. `below` is kept
   * apart: whether what is denied is in a directory that is gone through cannot be told by reading.
   */
  find(facts: CallFacts, options: RestrictingOptions): { strongest?: Found; below?: Found } {
    if (this.#index.rules.length === 0) return {};
    const best = new Best();
    this.#askTools(facts, best);
    const { shell } = facts;
    if (shell !== undefined) this.#askCommands(shell.commands, best);
    if (this.#index.hasPaths) this.#askPaths(facts, { ...options, best });
    if (shell?.unreadable !== undefined) this.#askUnreadable(shell, { ...options, best });
    return best.result;
  }

  #askTools({ toolName, args }: CallFacts, best: Best): void {
    const names = [toolName, writeTwin(toolName)].filter((name) => name !== undefined);
    for (const rule of names.flatMap((name) => this.#index.toolRules(name))) {
      const { args: wanted, domain } = rule.rule;
      if (!matchesArgs(wanted, args)) continue;
      if (domain !== undefined) {
        const match = matchesDomain(domain, argument(args, 'url'));
        if (match !== 'no') best.take(rule, { match, part: { text: String(argument(args, 'url') ?? toolName) } });
      } else best.take(rule, { match: 'yes', part: { text: toolName } });
    }
  }

  #askCommands(commands: readonly ShellCommand[], best: Best): void {
    if (this.#index.commands.all.length === 0) return;
    for (const command of commands) {
      for (const words of respelled(command.words)) this.#askCommand(command, words, best);
    }
  }

  /** A command by one of its spellings. */
  #askCommand(command: ShellCommand, words: readonly string[], best: Best): void {
    for (const rule of this.#index.commands.candidates(words)) {
      if (!best.wants(rule)) continue;
      const [pattern] = rule.commands;
      if (pattern === undefined) continue;
      const { match, from: place } = matchRestricting(pattern, { words });
      if (match === 'no') continue;
      const from = words === command.words ? place : 0;
      const part = commandPart(command, from);
      if (match === 'yes' && !command.guessed) best.take(rule, { match, part });
      else best.take(rule, { match: 'could be', part, why: whyNotSure(command, from) });
    }
  }

  #askPaths(facts: CallFacts, options: RestrictingOptions & { best: Best }): void {
    const isShell = facts.shell !== undefined;
    if (facts.pathUnknown) {
      for (const tool of coveringTools(facts.toolName)) {
        for (const { rule } of this.#index.pathsOf(tool)?.all ?? [])
          options.best.take(rule, { match: 'could be', why: 'the path is no text, or is missing' });
      }
      return;
    }
    for (const touch of facts.touches) {
      const tools = isShell ? SHELL_COVERED[touch.access] : coveringTools(facts.toolName);
      for (const tool of tools) {
        const index = this.#index.pathsOf(tool);
        if (index === undefined) continue;
        for (const asked of touch.readings) askPath(index, { touch, asked }, options);
      }
    }
  }

  /** What is not understood could be anything that the sandbox does not keep closed by itself. */
  #askUnreadable(
    { unreadable: why = '', unreadableIn }: ShellReading,
    { best, enforces }: RestrictingOptions & { best: Best },
  ): void {
    const open = this.#index.rules.find(
      (rule) =>
        this.#index.commands.all.includes(rule) ||
        (rule.paths.length > 0 && rule.rule.tool !== 'list_dir' && isFileTool(rule.rule.tool) && !enforces(rule)),
    );
    if (open === undefined) return;
    const part = unreadableIn === undefined ? {} : { part: commandPart(unreadableIn) };
    best.take(open, { match: 'could be', why, ...part });
  }
}

const MAX_PATH = 4_096;
/** Each takes some microseconds. */
const MAX_LOOKS = 50_000;
/** Whose path rules a shell command's reads and writes are matched against. */
const SHELL_COVERED = { read: ['read_file'], write: ['write_file', 'edit_file'] } as const;

function askPath(
  index: PathIndex,
  { touch, asked }: { touch: Touch; asked: AskedPath },
  { best, enforces }: RestrictingOptions & { best: Best },
): void {
  if (asked.known) {
    for (const { rule, pattern } of index.candidates(asked)) {
      if (best.wants(rule) && pattern.matches(asked) === 'yes')
        best.take(rule, { match: 'yes', part: partOf(touch, asked) });
    }
    if (touch.recursive) askBelow(index, { touch, asked }, { best, enforces });
    return;
  }
  if (best.hasCertain || (touch.perhaps && !isPartlyKnown(touch.word))) return;
  const covers = touch.recursive || touch.inside;
  const open = asked.path.includes(HOLE) || asked.path.includes(SPREAD) || asked.path.includes(NAME);
  for (const { rule, pattern } of index.all) {
    if (enforces(rule, touch.existing) || !best.wantsPossible(rule) || (touch.tracked === true && pattern.inGit))
      continue;
    const meant = touch.perhaps
      ? (open && !best.mayLookOnce()) || pattern.isPointedAtBy(asked, { covers })
      : (covers && pattern.couldCover(asked)) || pattern.matches(asked) !== 'no';
    if (!meant) continue;
    const why = `'${showWord(touch.word)}' is not known before it runs, and could be a path of this rule`;
    best.take(rule, { match: 'could be', part: partOf(touch, asked), why });
  }
  if (touch.recursive && !touch.perhaps) askBelow(index, { touch, asked }, { best, enforces });
}

/** A word that may be no path at all counts by what is known of it; no system opens a longer one. */
function isPartlyKnown(word: string): boolean {
  if (word.length > MAX_PATH) return false;
  for (let at = 0; at < word.length; at += 1) {
    const character = word.charAt(at);
    if (character === GLOB || character === ONE || (character !== '/' && !isMark(character))) return true;
  }
  return false;
}

function askBelow(
  index: PathIndex,
  { touch, asked }: { touch: Touch; asked: AskedPath },
  { best, enforces }: RestrictingOptions & { best: Best },
): void {
  if (best.hasBelow) return;
  const only = touch.only === undefined ? undefined : askedPath(`${asked.path}${HOLE}${touch.only}`);
  for (const { rule, pattern } of index.all) {
    if (enforces(rule, touch.existing) || (touch.tracked === true && pattern.inGit) || !pattern.reachesBelow(asked))
      continue;
    if (only !== undefined && pattern.matches(only) === 'no') continue;
    const why = `it goes through all of '${showWord(shownPath(asked.path))}', where the path of this rule may be`;
    best.take(rule, { match: 'below', part: partOf(touch, asked), why });
    return;
  }
}

function partOf({ command }: Touch, asked: AskedPath): NonNullable<Finding['part']> {
  return command === undefined ? { text: showWord(shownPath(asked.path)) } : commandPart(command);
}

function whyNotSure(command: ShellCommand, from: number): string {
  if (command.guessed) return 'it stands in code that may run it';
  if (from > 0) return 'a program that is not known may run it';
  return 'what it runs is not known before it runs';
}

/** Each value: a text with `*`, a list of which one must match, or a value that must be equal. */
function matchesArgs(wanted: Record<string, unknown> | undefined, args: unknown): boolean {
  if (wanted === undefined) return true;
  return Object.entries(wanted).every(([name, value]) => {
    const actual = argument(args, name);
    return (Array.isArray(value) ? value : [value]).some((one) => matchesValue(one, actual));
  });
}

function matchesValue(wanted: unknown, actual: unknown): boolean {
  if (typeof wanted === 'string' && /^(?:string|number|bigint|boolean)$/.test(typeof actual))
    return couldMatch(wanted, String(actual));
  if (Array.isArray(actual) && !Array.isArray(wanted) && actual.some((one) => matchesValue(wanted, one))) return true;
  return actual !== undefined && isSame(wanted, actual);
}

/** A value that has no JSON, as one that holds itself, may be the one that is meant. */
function isSame(wanted: unknown, actual: unknown): boolean {
  try {
    return JSON.stringify(wanted) === JSON.stringify(actual);
  } catch {
    return true;
  }
}

/** Keeps the finding that counts. */
class Best {
  #looks = 0;
  #certain: Found | undefined;
  #possible: Found | undefined;
  #below: Found | undefined;

  get hasCertain(): boolean {
    return this.#certain !== undefined;
  }

  /** Whether there is time left to look whether one more word points to a path; else it is taken to. */
  mayLookOnce(): boolean {
    this.#looks += 1;
    return this.#looks <= MAX_LOOKS;
  }

  get hasBelow(): boolean {
    return this.#below !== undefined;
  }

  get result(): { strongest?: Found; below?: Found } {
    const strongest = this.#certain ?? this.#possible;
    return {
      ...(strongest === undefined ? {} : { strongest }),
      ...(this.#below === undefined ? {} : { below: this.#below }),
    };
  }

  /** Whether a match of this rule could still be the one that counts. */
  wants({ order }: CompiledRule): boolean {
    return this.#certain === undefined || order < this.#certain.rule.order;
  }

  /** Whether a match of this rule that is not certain could be the one that counts. */
  wantsPossible({ order }: CompiledRule): boolean {
    return this.#certain === undefined && (this.#possible === undefined || order < this.#possible.rule.order);
  }

  take(rule: CompiledRule, finding: Finding): void {
    const found = { rule, finding };
    if (finding.match === 'yes') {
      if (this.wants(rule)) this.#certain = found;
    } else if (finding.match === 'below') this.#below ??= found;
    else if (this.#possible === undefined || rule.order < this.#possible.rule.order) this.#possible = found;
  }
}
