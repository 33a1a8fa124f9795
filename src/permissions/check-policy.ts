import { nearestOf } from '../checks/nearest.js';
import { type CompiledRule, coversWholeTool } from './compiled-rule.js';
import { refuseConflicts } from './conflicts.js';
import { PolicyError } from './policy-error.js';
import { FILE_TOOLS, SHELL_TOOL } from './tool-names.js';
import { couldMatch } from './wildcard.js';

/** Tools that every host may have. */
const BUILT_IN: readonly string[] = [SHELL_TOOL, ...FILE_TOOLS, 'patch', 'code'];
/** Names that other parts of the field use and this version has no tool for. */
const RESERVED = new Set(['fetch', 'http_request', 'web_fetch', 'web_search', 'task', 'todo_write', 'notebook_edit']);

/**
 * Checks what only a look at the rules together, or at the tools there are, can tell.
 * @returns warnings for people
 * @throws PolicyError for a rule that names no tool, can never match, or breaks what another one allows
 */
export function checkPolicy(rules: readonly CompiledRule[], tools: readonly string[] | undefined): string[] {
  const warnings: string[] = [];
  for (const rule of rules) {
    const problem = neverMatches(rule);
    if (problem !== undefined) throw new PolicyError(`Cannot use the rule ${rule.text} of ${rule.source}: ${problem}`);
    const warning = tools === undefined ? undefined : checkTool(rule, tools);
    if (warning !== undefined) warnings.push(warning);
  }
  refuseConflicts(rules);
  return [...warnings, ...shadowedRules(rules)];
}

function checkTool({ rule: { tool }, text, source }: CompiledRule, tools: readonly string[]): string | undefined {
  const known = [...new Set([...BUILT_IN, ...tools])];
  if (known.some((name) => couldMatch(tool, name))) return undefined;
  const what = `The rule ${text} of ${source} names no tool of this host`;
  // Servers bring their tools later; a pattern is meant for those.
  if (RESERVED.has(tool) || tool.includes('*') || tool.includes('__')) return what;
  const nearest = nearestOf(tool, known);
  const hint = nearest === undefined ? `its tools are ${known.join(', ')}` : `did you mean '${nearest}'?`;
  throw new PolicyError(`Cannot use the rule ${text} of ${source}: no tool is called '${tool}'; ${hint}`);
}

const OPERATOR = /^(?:&&|\|\|?|;|&|>{1,2}|<)$/;

/** A rule that looks right and does nothing. */
function neverMatches({ rule, commands, paths }: CompiledRule): string | undefined {
  for (const { words, text } of commands) {
    const operator = text === undefined ? words.find((word) => OPERATOR.test(word)) : undefined;
    if (operator !== undefined)
      return `it can never match: commands are judged one by one, apart from '${operator}'; write one rule for each`;
    if (/^\w+=/.test(words[0] ?? ''))
      return 'it can never match: variables before a command are not part of it; leave them out';
  }
  const patterns = [rule.path ?? []].flat();
  for (const pattern of patterns) {
    if (/(?:^|\/)\.\.(?:\/|$)/.test(pattern))
      return `it can never match: '..' is resolved before paths are compared; write '${pattern}' from the workspace, or absolute with //`;
    if (/\\(?![*?[\]{}\\!()+@ ])/.test(pattern))
      return "it can never match: write '/' between directories, not a backslash";
  }
  return paths.length === 0 && rule.path !== undefined ? 'it names no path' : undefined;
}

/** An allow rule that a deny rule takes back whole. */
function shadowedRules(rules: readonly CompiledRule[]): string[] {
  const whole = rules.filter((rule) => rule.rule.effect === 'deny' && coversWholeTool(rule));
  const texts = new Map(rules.filter(({ rule }) => rule.effect === 'deny').map((rule) => [rule.text, rule]));
  return rules
    .filter(({ rule }) => rule.effect === 'allow')
    .flatMap((rule) => {
      const by = texts.get(rule.text) ?? whole.find((other) => couldMatch(other.rule.tool, rule.rule.tool));
      return by === undefined
        ? []
        : [`The rule ${rule.text} of ${rule.source} allows nothing: ${by.text} of ${by.source} denies all of it`];
    });
}
