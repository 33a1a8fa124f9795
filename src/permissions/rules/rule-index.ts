import type { AskedPath, PathPattern } from '../paths/path-pattern.js';
import { programName } from '../shell/programs/program-name.js';
import { namesOf } from '../shell/programs/program-names.js';
import { isOpaqueProgram, isPossibleAlias } from '../shell/programs/program-table.js';
import { filedNames } from '../shell/programs/subcommands.js';
import { isKnown, SPREAD } from '../text/marks.js';
import { couldMatch } from '../text/wildcard.js';
import type { CommandPattern } from './command-pattern.js';
import { type CompiledRule, coversWholeTool } from './compiled-rule.js';

/** Rules by what they are about, so that a call meets those few that could match it. */
export class RuleIndex {
  readonly rules: readonly CompiledRule[];
  readonly commands: CommandIndex;
  readonly #paths = new Map<string, PathIndex>();
  readonly #byTool = new Map<string, CompiledRule[]>();
  readonly #toolPatterns: CompiledRule[] = [];

  constructor(rules: readonly CompiledRule[]) {
    this.rules = rules;
    const tools = rules.filter(
      (rule) => rule.paths.length === 0 && (rule.commands.length === 0 || coversWholeTool(rule)),
    );
    this.commands = new CommandIndex(rules.filter((rule) => rule.commands.length > 0 && !coversWholeTool(rule)));
    for (const rule of rules) {
      if (rule.paths.length > 0) getOrMake(this.#paths, rule.rule.tool, () => new PathIndex()).add(rule);
    }
    for (const rule of tools) {
      const { tool } = rule.rule;
      if (tool.includes('*')) this.#toolPatterns.push(rule);
      else getOrMake(this.#byTool, tool, () => []).push(rule);
    }
  }

  /** Rules about a whole tool, or its arguments. */
  toolRules(name: string): readonly CompiledRule[] {
    const named = this.#byTool.get(name);
    const matching = this.#toolPatterns.filter(({ rule }) => couldMatch(rule.tool, name));
    return named === undefined ? matching : [...named, ...matching];
  }

  get hasPaths(): boolean {
    return this.#paths.size > 0;
  }

  /** The path rules that are written for one tool. */
  pathsOf(tool: string): PathIndex | undefined {
    return this.#paths.get(tool);
  }
}

class CommandIndex {
  readonly all: readonly CompiledRule[];
  readonly #byProgram = new Map<string, ProgramRules>();
  /** Their pattern begins with a star. */
  readonly #others: CompiledRule[] = [];

  constructor(rules: readonly CompiledRule[]) {
    this.all = rules;
    for (const rule of rules) {
      for (const pattern of rule.commands) {
        if (pattern.program === undefined) {
          this.#others.push(rule);
          continue;
        }
        // A rule that allows is about the words as they stand.
        for (const name of new Set([pattern.program, pattern.words[0] ?? '']))
          getOrMake(this.#byProgram, name, () => new ProgramRules(name)).add(rule, pattern);
      }
    }
  }

  /** Rules that could match a command. */
  candidates(words: readonly string[]): readonly CompiledRule[] {
    const [first = ''] = words;
    if (first === '' || this.all.length === 0) return [];
    const name = programName(first);
    if (first.includes(SPREAD) || !isKnown(name)) return this.all;
    const named = this.#byProgram.get(name)?.candidates(words) ?? [];
    const exact = first === name ? [] : (this.#byProgram.get(first)?.candidates(words) ?? []);
    const inside = isOpaqueProgram(name) ? this.#inside(words) : [];
    if (exact.length + inside.length + this.#others.length === 0) return named;
    return [...named, ...exact, ...inside, ...this.#others];
  }

  /** A program that is not known may run what follows. */
  #inside(words: readonly string[]): readonly CompiledRule[] {
    const found = new Set<CompiledRule>();
    for (let index = 1; index < words.length; index += 1) {
      for (const name of namesOf(programName(words[index] ?? ''))) {
        const rules = this.#byProgram.get(name);
        if (rules !== undefined) for (const rule of rules.candidates(words)) found.add(rule);
      }
    }
    return found.size === 0 ? [] : [...found];
  }
}

/** The rules about one program, by the last operand that they ask for: a command without that word is none of theirs. */
class ProgramRules {
  readonly #program: string;
  readonly #all: CompiledRule[] = [];
  readonly #byOperand = new Map<string, CompiledRule[]>();
  readonly #others: CompiledRule[] = [];

  constructor(program: string) {
    this.#program = program;
  }

  add(rule: CompiledRule, { text, operands }: CommandPattern): void {
    this.#all.push(rule);
    const operand = operands.at(-1);
    if (text !== undefined || operand === undefined || operand.includes('*')) this.#others.push(rule);
    else getOrMake(this.#byOperand, operand, () => []).push(rule);
  }

  candidates(words: readonly string[]): readonly CompiledRule[] {
    if (this.#byOperand.size === 0) return this.#all;
    const found = new Set(this.#others);
    for (const [index, word] of words.entries()) {
      if (index > 0 && (!isKnown(word) || isPossibleAlias(this.#program, word))) return this.#all;
      for (const rule of this.#byOperand.get(word) ?? []) found.add(rule);
      for (const name of filedNames(this.#program, word))
        for (const rule of this.#byOperand.get(name) ?? []) found.add(rule);
    }
    return [...found];
  }
}

function getOrMake<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}

interface PathEntry {
  rule: CompiledRule;
  pattern: PathPattern;
}

class PathIndex {
  readonly all: PathEntry[] = [];
  readonly #byKey = new Map<string, PathEntry[]>();
  readonly #others: PathEntry[] = [];

  add(rule: CompiledRule): void {
    for (const pattern of rule.paths) {
      const entry = { rule, pattern };
      this.all.push(entry);
      if (pattern.key === undefined) this.#others.push(entry);
      else getOrMake(this.#byKey, pattern.key, () => []).push(entry);
    }
  }

  /** Patterns that could match a path of which everything is known, as restricting rules spell it. */
  candidates({ folded }: AskedPath): readonly PathEntry[] {
    let found: readonly PathEntry[] = this.#others;
    const add = (key: string) => {
      const entries = this.#byKey.get(key);
      if (entries !== undefined) found = found.length === 0 ? entries : [...found, ...entries];
    };
    for (const segment of folded.split('/')) {
      add(segment);
      const dot = segment.lastIndexOf('.');
      if (dot !== -1) add(`*${segment.slice(dot)}`);
    }
    return found;
  }
}

export type { PathIndex };
