import { nearestOf } from '../../checks/nearest.js';
import { couldMatch } from '../text/wildcard.js';
import { type CompiledRule, coversWholeTool } from './compiled-rule.js';
import { refuseConflicts } from './conflicts.js';
import { PolicyError } from './policy-error.js';
import { canonicalToolName, FILE_TOOLS, FOREIGN_TOOLS, SHELL_TOOL } from './tool-names.js';

/** Tools that every host may have. */
const BUILT_IN: readonly string[] = [SHELL_TOOL, ...FILE_TOOLS, 'patch', 'code'];
/** Names that other parts of the field use and this version has no tool for. */
const RESERVED = new Set(['fetch', 'http_request', 'web_fetch', 'web_search', 'task', 'todo_write', 'notebook_edit']);

/** Whether a name is none of this version's, and yet no mistake. */
export function isReserved(tool: string): boolean {
  return RESERVED.has(tool) || FOREIGN_TOOLS.has(tool);
}

/**
 * Checks what only a look at the rules together, or at the tools there are, can tell.
 * @returns warnings for people
 * @throws PolicyError for a rule that names no tool, can never match, or breaks what another one allows
 */
export function checkPolicy(
  rules: readonly CompiledRule[],
  { tools, hostRoot }: { tools?: readonly string[] | undefined; hostRoot?: string | undefined },
): string[] {
  const warnings: string[] = [];
  for (const rule of rules) {
    const problem = neverMatches(rule) ?? meantAbsolute(rule, hostRoot);
    if (problem !== undefined) throw new PolicyError(`Cannot use the rule ${rule.text} of ${rule.source}: ${problem}`);
    const warning = tools === undefined ? undefined : checkTool(rule, tools);
    if (warning !== undefined) warnings.push(warning);
  }
  refuseConflicts(rules);
  return [...warnings, ...shadowedRules(rules)];
}

function checkTool({ rule: { tool }, text, source }: CompiledRule, tools: readonly string[]): string | undefined {
  const known = [...new Set([...BUILT_IN, ...tools.map(canonicalToolName)])];
  if (known.some((name) => couldMatch(tool, name))) return undefined;
  const what = `The rule ${text} of ${source} names no tool of this host`;
  // Servers bring their tools later; a pattern is meant for those.
  if (isReserved(tool) || tool.includes('*') || tool.includes('__')) return what;
  const nearest = nearestOf(tool, known);
  const hint = nearest === undefined ? `its tools are ${known.join(', ')}` : `did you mean '${nearest}'?`;
  throw new PolicyError(`Cannot use the rule ${text} of ${source}: no tool is called '${tool}'; ${hint}`);
}

const OPERATOR = /^(?:&&|\|\|?|;|&|>{1,2}|<)$/;

/** A rule that looks right and does nothing. */
function neverMatches({ rule, commands, paths }: CompiledRule): string | undefined {
  const values = Object.entries(rule.args ?? {});
  const empty = values.find(([, value]) => Array.isArray(value) && value.length === 0);
  if (empty !== undefined) return `it can never match: the list for '${empty[0]}' is empty`;
  for (const { words, text } of commands) {
    const operator = words.find((word) => OPERATOR.test(word));
    if (operator !== undefined)
      return `it can never match: commands are judged one by one, apart from '${operator}'; write one rule for each`;
    if (/^\w+=/.test(words[0] ?? ''))
      return 'it can never match: variables before a command are not part of it; leave them out';
    if (/\s/.test(words[0] ?? '') && (rule.effect !== 'allow' || /^["']/.test(String(rule.command))))
      return `it can never match: '${words[0]}' is one word, which no program is called; leave the quotes out, or write ['git', 'push']`;
    const inside = text === undefined ? undefined : prefixInside(text);
    if (inside !== undefined) return inside;
  }
  const patterns = [rule.path ?? []].flat();
  for (const pattern of patterns) {
    if (/^!(?!\()/.test(pattern))
      return "it can never match: a pattern cannot be taken back with '!'; name what is meant, or write \\! for a file of that name";
    if (/(?:^|\/)\.\.(?:\/|$)/.test(pattern))
      return `it can never match: '..' is resolved before paths are compared; write '${pattern}' from the workspace, or absolute with //`;
    if (/\\(?![*?[\]{}\\!()+@ ])/.test(pattern))
      return "it can never match: write '/' between directories, not a backslash";
  }
  return paths.length === 0 && rule.path !== undefined ? 'it names no path' : undefined;
}

/** `:*` is read as "any words may follow" at the end of a rule alone. */
function prefixInside(text: string): string | undefined {
  const [, before, after] = /^([^*]*?):\*([\s\S]*)$/.exec(text) ?? [];
  if (before === undefined || after === undefined) return undefined;
  if (/^\s*,/.test(after))
    return `it can never match: one rule is about one command; write a rule for '${before}:*' and others for the rest`;
  return /^\s/.test(after)
    ? `it can never match: ':*' stands at the end alone; write '${before} *${after}'`
    : undefined;
}

/** `/home/me/project/.env` is a path below the workspace here. */
function meantAbsolute({ rule }: CompiledRule, hostRoot: string | undefined): string | undefined {
  if (hostRoot === undefined || hostRoot === '') return undefined;
  const pattern = [rule.path ?? []].flat().find((path) => path === hostRoot || path.startsWith(`${hostRoot}/`));
  return pattern === undefined
    ? undefined
    : `it can never match: '/' begins at the workspace; write '/${pattern.slice(hostRoot.length + 1)}', or '/${pattern}' for the absolute path`;
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
