import { isWithin, WORKSPACE } from '../paths/call-path.js';
import { askedPath } from '../paths/path-pattern.js';
import { resolvePath } from '../paths/resolve-path.js';
import { matchesAllowing } from '../rules/command-pattern.js';
import { type CompiledRule, coversWholeTool } from '../rules/compiled-rule.js';
import { matchesDomain } from '../rules/domain.js';
import { RuleIndex } from '../rules/rule-index.js';
import { isFree, isHarmlessTarget, isWithinLimits, isWithinWrapperLimits } from '../shell/allow-limits.js';
import type { ShellCommand, ShellReading } from '../shell/syntax/shell-command.js';
import { argument, type CallFacts } from './call-facts.js';

/** The allow rules of a policy: what is not certain is not allowed. */
export class AllowingRules {
  readonly #rules: readonly CompiledRule[];
  readonly #index: RuleIndex;

  constructor(rules: readonly CompiledRule[]) {
    this.#rules = rules;
    this.#index = new RuleIndex(rules);
  }

  /** The rule that answers for the whole call; of several that share a command, the first. */
  find(facts: CallFacts): CompiledRule | undefined {
    if (this.#rules.length === 0) return undefined;
    // What is not even a command is never allowed by name.
    if (facts.shell?.malformed === true) return undefined;
    return this.#forTool(facts) ?? this.#forPath(facts) ?? this.#forCommands(facts)?.rule;
  }

  /** Whether a shell call needs no rule where others are allowed by name: all of it does nothing outside the shell. */
  passesUnnamed(facts: CallFacts): boolean {
    if (facts.shell?.malformed === true || !this.#rules.some(({ commands }) => commands.length > 0)) return false;
    const found = this.#forCommands(facts);
    return found !== undefined && found.rule === undefined;
  }

  /** Whether a rule allows some part of a shell call. */
  allowsPart(shell: ShellReading): boolean {
    return shell.commands.some((command) => this.#forCommand(command) !== undefined);
  }

  #forTool({ toolName, args }: CallFacts): CompiledRule | undefined {
    return this.#index
      .toolRules(toolName)
      .find(({ rule: { domain } }) => domain === undefined || matchesDomain(domain, argument(args, 'url')) === 'yes');
  }

  #forPath({ toolName, touches, shell }: CallFacts): CompiledRule | undefined {
    if (shell !== undefined || touches.length === 0) return undefined;
    const asked = touches.flatMap(({ readings }) => readings);
    if (asked.length === 0) return undefined;
    return this.#rules.find(
      ({ rule, paths }) =>
        allowsTool(rule.tool, toolName) &&
        paths.length > 0 &&
        asked.every((path) => paths.some((pattern) => path.known && pattern.matches(path) === 'yes')),
    );
  }

  /** Every simple command that is not free needs a rule, as does every file that a redirect writes; the first is named. */
  #forCommands({ shell }: CallFacts): { rule?: CompiledRule } | undefined {
    if (shell === undefined || shell.unreadable !== undefined || shell.evaluatesOutside === true) return undefined;
    const commands = shell.commands.filter(({ guessed }) => !guessed);
    if (commands.length === 0) return undefined;
    let first: CompiledRule | undefined;
    for (const command of commands) {
      if (!this.#redirectsAllowed(command)) return undefined;
      if (command.transparent && isWithinWrapperLimits(command)) continue;
      const rule = this.#forCommand(command) ?? this.#byWrapper(command);
      const isOwn = command.assignments.length === 0 && shell.functions.has(command.words[0] ?? '');
      if (rule === undefined && !isOwn && !(isFree(command) && isWithinLimits(command))) return undefined;
      first ??= rule;
    }
    return first === undefined ? {} : { rule: first };
  }

  #forCommand(command: ShellCommand): CompiledRule | undefined {
    const matching = this.#matching(command);
    if (matching.length === 0) return undefined;
    if (isWithinLimits(command)) return matching[0];
    return matching.find(
      ({ rule, commands: [pattern] }) =>
        (isExact(rule.command) && command.assignments.length === 0) || isWithinLimits(command, pattern?.words),
    );
  }

  /** `npx vitest:*` is about `vitest` too, as it names it; `npx:*` is not. */
  #byWrapper(command: ShellCommand): CompiledRule | undefined {
    for (let { wrapper } = command; wrapper !== undefined; wrapper = wrapper.wrapper) {
      const before = wrapper.words.length - command.words.length;
      const found = this.#matching(wrapper).find(
        ({ commands: [pattern] }) =>
          pattern !== undefined &&
          pattern.text === undefined &&
          pattern.words.length > before &&
          isWithinLimits(command, pattern.words),
      );
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #matching(command: ShellCommand): CompiledRule[] {
    return this.#index.commands
      .candidates(command.words)
      .filter(({ commands: [pattern] }) => pattern !== undefined && matchesAllowing(pattern, command));
  }

  #redirectsAllowed({ redirects, directories }: ShellCommand): boolean {
    return redirects.every(({ kind, target }) => {
      if (kind === 'read' || isHarmlessTarget(target)) return true;
      return directories.every((directory) => this.#allowsWriting(resolvePath(directory, target)));
    });
  }

  #allowsWriting(path: string): boolean {
    const asked = askedPath(path);
    if (!asked.known) return false;
    return this.#rules.some((rule) => {
      const { tool } = rule.rule;
      if (tool !== 'write_file' && tool !== 'edit_file') return false;
      if (coversWholeTool(rule)) return isWithin(WORKSPACE, path);
      return rule.paths.some((pattern) => pattern.matches(asked) === 'yes');
    });
  }
}

function isExact(command: string | string[] | undefined): boolean {
  return command !== undefined && (typeof command !== 'string' || !command.includes('*'));
}

/** Reading a directory's names is part of searching it: an allowed `read_file` path allows that too. */
function allowsTool(ruleTool: string, toolName: string): boolean {
  return ruleTool === toolName || (ruleTool === 'read_file' && ['list_dir', 'glob', 'grep'].includes(toolName));
}
