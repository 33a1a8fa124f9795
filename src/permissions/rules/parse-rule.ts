import { nearestOf } from '../../checks/nearest.js';
import { isHostPattern } from './host-name.js';
import { RuleSyntaxError } from './policy-error.js';
import type { PermissionRule } from './rule.js';
import { canonicalToolName, FILE_TOOLS, isFileTool, SHELL_TOOL } from './tool-names.js';

const TOOL_PATTERN = /^[A-Za-z0-9_*-]{1,64}$/;
const MAX_LENGTH = 2_000;

/** A rule without its effect. */
export type RuleBody = Pick<PermissionRule, 'tool' | 'command' | 'path' | 'domain'>;

/**
 * Reads a rule string: `shell(git push:*)`, `read_file(**\/.env)`, `github__*`, `*`. Names that Claude Code uses
 * (`Bash(…)`, `mcp__github__*`) are read as ours.
 * @throws RuleSyntaxError with the position and the fix
 */
export function parseRule(text: string): RuleBody {
  const rule = text.trim();
  if (rule === '')
    throw new RuleSyntaxError(text, 0, 'it is empty; write a tool name such as shell, or * for every tool');
  if (rule.length > MAX_LENGTH)
    throw new RuleSyntaxError(`${rule.slice(0, 40)}…`, MAX_LENGTH, 'it is longer than 2,000 characters');
  const open = rule.indexOf('(');
  const tool = parseToolName(rule, open === -1 ? rule : rule.slice(0, open));
  if (open === -1) return { tool };
  return { tool, ...parseSpecifier(rule, tool, open) };
}

/** Reads the tool of a rule object. @throws RuleSyntaxError */
export function parseToolName(rule: string, name: string): string {
  const tool = canonicalToolName(name);
  if (TOOL_PATTERN.test(tool)) return tool;
  const position = Math.max(
    0,
    [...tool].findIndex((character) => !/[A-Za-z0-9_*-]/.test(character)),
  );
  throw new RuleSyntaxError(
    rule,
    position,
    `'${name}' is not a tool name; use letters, digits, _ and -, with * for any of them`,
  );
}

function parseSpecifier(rule: string, tool: string, open: number): Omit<RuleBody, 'tool'> {
  if (!rule.endsWith(')')) {
    const close = rule.lastIndexOf(')');
    if (close > open) throw new RuleSyntaxError(rule, close + 1, 'nothing may follow the closing parenthesis');
    throw new RuleSyntaxError(rule, rule.length, 'the closing parenthesis is missing');
  }
  const specifier = rule.slice(open + 1, -1).trim();
  if (specifier === '')
    throw new RuleSyntaxError(
      rule,
      open + 1,
      `nothing is between the parentheses; write ${tool} alone for every call of it`,
    );
  if (specifier.includes('\0')) throw new RuleSyntaxError(rule, rule.indexOf('\0'), 'it holds a NUL character');
  if (tool === SHELL_TOOL) return { command: checkCommand(rule, specifier, open) };
  if (isFileTool(tool)) return { path: specifier };
  const domain = /^domain:\s*([\s\S]*)$/.exec(specifier)?.[1];
  if (domain !== undefined) return { domain: checkDomain(rule, domain, open) };
  throw new RuleSyntaxError(rule, open, specifierAdvice(rule, tool, specifier));
}

/** What was meant is told from the name first, then from what stands between the parentheses. */
function specifierAdvice(rule: string, tool: string, specifier: string): string {
  const nearest = nearestOf(tool, [SHELL_TOOL, ...FILE_TOOLS]);
  if (nearest !== undefined)
    return `no tool is called '${tool}'; did you mean ${nearest}${rule.slice(rule.indexOf('('))}?`;
  if (isHostPattern(specifier) && specifier.includes('.')) return `write ${tool}(domain:${specifier}) for a host`;
  const takes = `only shell takes a command and only file tools (${FILE_TOOLS.join(', ')}) take a path`;
  return `${takes}; for other arguments use an object with 'args'`;
}

function checkDomain(rule: string, domain: string, open: number): string {
  if (isHostPattern(domain)) return domain;
  throw new RuleSyntaxError(
    rule,
    open + 1 + 'domain:'.length,
    `'${domain}' is not a host name; write one such as example.com or *.example.com`,
  );
}

function checkCommand(rule: string, command: string, open: number): string {
  if (/^:\*$/.test(command))
    throw new RuleSyntaxError(rule, open + 1, 'no words stand before :*; write shell for every command');
  for (const quote of ['"', "'"]) {
    if ((command.replace(/\\./g, '').split(quote).length - 1) % 2 === 1) {
      throw new RuleSyntaxError(rule, open + 1 + command.indexOf(quote), `the quote ${quote} is not closed`);
    }
  }
  return command;
}
