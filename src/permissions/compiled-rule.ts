import type { PathRule } from '../sandbox/plan.js';
import { argument, type CallFacts } from './call-facts.js';
import { readCallPath } from './call-path.js';
import { type CommandPattern, matchesAllowing, matchRestricting, parseCommandPattern } from './command-pattern.js';
import type { Match } from './match.js';
import { compilePathPattern, type PathPattern } from './path-pattern.js';
import type { PermissionRule } from './rule.js';
import { pathsRead, pathsWritten } from './shell/path-words.js';
import type { ShellCommand } from './shell/shell-command.js';
import { coveredTools, isFileTool, SHELL_TOOL, writeTwin } from './tool-names.js';
import { couldMatch, HOLE, isKnown, SPREAD } from './wildcard.js';

/** What a rule found in a call. */
export interface RuleMatch {
  match: Match;
  /** The simple command or path that it met. */
  part?: string;
  why?: string;
}

/** A rule ready to be asked. */
export interface CompiledRule {
  readonly rule: PermissionRule;
  /** As people wrote it. */
  readonly text: string;
  /** Where: `options#deny[0]`. */
  readonly source: string;
  /** By what it holds beside being asked before the call. */
  readonly enforcement: 'file gate' | 'tool gate' | 'text only';
  /** For deny and ask rules. */
  restricts(facts: CallFacts): RuleMatch;
  /** Whether an allow rule answers for the whole call. */
  allows(facts: CallFacts): boolean;
  /** Whether an allow rule answers for this command, or for writing this path by a redirect. */
  readonly allowsCommand?: (command: ShellCommand) => boolean;
  readonly allowsWriting?: (path: string) => boolean;
  /** Paths that a sandbox can keep closed for a deny rule. */
  readonly paths: { denyRead: readonly PathRule[]; denyWrite: readonly PathRule[] };
}

export interface RuleOrigin {
  text: string;
  source: string;
  hostRoot: string | undefined;
}

const NO: RuleMatch = { match: 'no' };
const NO_PATHS = { denyRead: [], denyWrite: [] };

/** Compiles a checked rule. */
export function compileRule(rule: PermissionRule, origin: RuleOrigin): CompiledRule {
  if (rule.command !== undefined) return commandRule(rule, origin, parseCommandPattern(rule.command));
  if (rule.path !== undefined) return pathRule(rule, origin);
  return toolRule(rule, origin);
}

function namesTool(rule: PermissionRule, toolName: string): boolean {
  return couldMatch(rule.tool, toolName);
}

function toolRule(rule: PermissionRule, { text, source }: RuleOrigin): CompiledRule {
  const matches = ({ toolName, args }: CallFacts, name = toolName) =>
    namesTool(rule, name) && matchesArgs(rule.args, args);
  return {
    rule,
    text,
    source,
    enforcement: 'tool gate',
    restricts: (facts) => {
      const twin = writeTwin(facts.toolName);
      return matches(facts) || (twin !== undefined && matches(facts, twin))
        ? { match: 'yes', part: facts.toolName }
        : NO;
    },
    allows: (facts) => matches(facts),
    paths: NO_PATHS,
  };
}

function commandRule(rule: PermissionRule, { text, source }: RuleOrigin, pattern: CommandPattern): CompiledRule {
  return {
    rule,
    text,
    source,
    enforcement: 'text only',
    restricts: ({ shell }) => {
      if (shell === undefined) return NO;
      let found: RuleMatch = shell.unreadable ? { match: 'could be', why: 'part of the command cannot be read' } : NO;
      for (const command of shell.commands) {
        const match = matchRestricting(pattern, command);
        if (match === 'no') continue;
        if (match === 'yes') return { match, part: showCommand(command) };
        if (found.part === undefined)
          found = { match, part: showCommand(command), why: 'what it runs is not known before it runs' };
      }
      return found;
    },
    allows: () => false,
    allowsCommand: (command) => matchesAllowing(pattern, command),
    paths: NO_PATHS,
  };
}

function pathRule(rule: PermissionRule, { text, source, hostRoot }: RuleOrigin): CompiledRule {
  const restricts = rule.effect !== 'allow';
  const patterns = [rule.path ?? []].flat().map((path) => compilePathPattern(path, { restricts, hostRoot }));
  const matches = (path: string) => patterns.some((pattern) => pattern.matches(readCallPath(path, hostRoot)));
  const tool = rule.tool;
  return {
    rule,
    text,
    source,
    enforcement: rule.effect === 'deny' && patterns.some(({ globs }) => globs.length > 0) ? 'file gate' : 'tool gate',
    restricts: (facts) => restrictsPath(facts, { tool, patterns, matches }),
    allows: ({ toolName, path }) =>
      allowsTool(tool, toolName) &&
      path !== undefined &&
      path !== 'unknown' &&
      patterns.some((pattern) => pattern.matches(path)),
    ...(tool === 'write_file' || tool === 'edit_file' ? { allowsWriting: matches } : {}),
    paths: rule.effect === 'deny' ? planOf(rule, text, patterns) : NO_PATHS,
  };
}

interface PathTest {
  tool: string;
  patterns: readonly PathPattern[];
  matches: (path: string) => boolean;
}

function restrictsPath(facts: CallFacts, { tool, patterns, matches }: PathTest): RuleMatch {
  if (facts.toolName === SHELL_TOOL) return restrictsCommandPaths(facts, tool, matches);
  const tools: readonly string[] = isFileTool(tool) ? coveredTools(tool) : [];
  if (!tools.includes(facts.toolName)) return NO;
  const { path } = facts;
  if (path === undefined) return NO;
  if (path === 'unknown') return { match: 'could be', why: 'the path cannot be read' };
  if (patterns.some((pattern) => pattern.matches(path)))
    return { match: 'yes', part: path.inWorkspace ?? path.absolute };
  return NO;
}

/** Only words that name the path: refused early for the sake of a reason; the sandbox refuses the rest. */
function restrictsCommandPaths(
  { shell, args }: CallFacts,
  tool: string,
  matches: (path: string) => boolean,
): RuleMatch {
  const touched =
    tool === 'read_file' ? pathsRead : tool === 'write_file' || tool === 'edit_file' ? pathsWritten : undefined;
  if (touched === undefined || shell === undefined) return NO;
  const directories = workingDirectories(shell.commands, argument(args, 'cwd'));
  for (const command of shell.commands) {
    for (const path of touched(command)) {
      const candidates = path.startsWith('/') ? [path] : directories.map((directory) => `${directory}/${path}`);
      if (path.startsWith('~/') ? matches(path) : candidates.some(matches))
        return { match: 'yes', part: showCommand(command) };
    }
  }
  return NO;
}

/** After a `cd` a relative word may lead elsewhere: to the directory named, or to one that is not known. */
function workingDirectories(commands: readonly ShellCommand[], cwd: unknown): string[] {
  const start = typeof cwd === 'string' ? cwd : '.';
  const moves = commands.filter(({ words }) => words[0] === 'cd' || words[0] === 'pushd');
  if (moves.length === 0) return [start];
  return [
    'elsewhere',
    ...moves
      .map(({ words }) => words[1] ?? '.')
      .filter(isKnown)
      .map((directory) => `${start}/${directory}`),
  ];
}

/** Reading a directory's names is part of searching it: an allowed `read_file` path allows that too. */
function allowsTool(ruleTool: string, toolName: string): boolean {
  return ruleTool === toolName || (ruleTool === 'read_file' && ['list_dir', 'glob', 'grep'].includes(toolName));
}

function planOf(rule: PermissionRule, text: string, patterns: readonly PathPattern[]): CompiledRule['paths'] {
  const rules = patterns
    .flatMap(({ globs }) => globs)
    .map(
      (glob): PathRule =>
        rule.reason === undefined ? { glob, rule: text } : { glob, rule: text, reason: rule.reason },
    );
  if (rule.tool === 'read_file') return { denyRead: rules, denyWrite: [] };
  if (rule.tool === 'write_file' || rule.tool === 'edit_file') return { denyRead: [], denyWrite: rules };
  return NO_PATHS;
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
  if (typeof wanted === 'string' && typeof actual === 'string') return couldMatch(wanted, actual);
  return actual !== undefined && JSON.stringify(wanted) === JSON.stringify(actual);
}

/** A command as people can read it; what is not known is `…`. */
export function showCommand({ words, via }: ShellCommand): string {
  const text = words.join(' ').replaceAll(HOLE, '…').replaceAll(SPREAD, '…');
  const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return via.length === 0 ? shown : `${shown} (through ${via.join(', ')})`;
}
