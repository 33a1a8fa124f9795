import { unknownName } from '../../checks/options.js';
import { show } from '../../checks/show.js';
import { isHostPattern } from './host-name.js';
import { parseRule, parseToolName, type RuleBody } from './parse-rule.js';
import { PolicyError } from './policy-error.js';
import type { PermissionRule, RuleEffect } from './rule.js';
import { isFileTool, SHELL_TOOL } from './tool-names.js';

export interface CheckedRule {
  rule: PermissionRule;
  text: string;
  source: string;
}

export interface CheckedRules {
  rules: CheckedRule[];
  default: RuleEffect;
  /** The input itself says so. */
  hasDefault: boolean;
  warnings: string[];
}

const EFFECTS: readonly RuleEffect[] = ['deny', 'ask', 'allow'];
const LIST_KEYS = [...EFFECTS, 'default', '$schema'];
const RULE_KEYS = ['effect', 'tool', 'command', 'path', 'args', 'domain', 'reason', 'match', 'notMatch'];

/**
 * Turns a policy as people write it into rules, each with its place.
 * @throws PolicyError for anything that is not understood: a skipped rule would be a rule that does not hold
 */
export function checkRules(input: unknown, source: string): CheckedRules {
  if (Array.isArray(input)) {
    const rules = input.map((entry, index) => checkArrayEntry(entry, `${source}[${index}]`));
    return { rules, default: 'allow', hasDefault: false, warnings: [] };
  }
  if (!isRecord(input))
    throw new PolicyError(
      `Cannot read ${source}: a policy is an array of rules or an object with ${EFFECTS.join(', ')} lists`,
    );
  refuseUnknownKeys(input, LIST_KEYS, source);
  text(input.$schema, '$schema', source);
  const rules = EFFECTS.flatMap((effect) => checkList(input[effect], effect, `${source}#${effect}`));
  return { rules, default: checkDefault(input.default, source), hasDefault: input.default !== undefined, warnings: [] };
}

function checkArrayEntry(entry: unknown, source: string): CheckedRule {
  if (!isRecord(entry)) {
    throw new PolicyError(
      `Cannot read ${source}: a rule in an array is an object with 'effect' and 'tool'; put strings into deny, ask or allow lists`,
    );
  }
  if (!EFFECTS.includes(entry.effect as RuleEffect)) {
    throw new PolicyError(`Cannot read ${source}: 'effect' must be deny, ask or allow, not ${show(entry.effect)}`);
  }
  return checkObject(entry, entry.effect as RuleEffect, source);
}

function checkList(list: unknown, effect: RuleEffect, source: string): CheckedRule[] {
  if (list === undefined) return [];
  if (!Array.isArray(list))
    throw new PolicyError(`Cannot read ${source}: it must be a list of rules, not ${show(list)}`);
  return list.map((entry, index) => {
    const place = `${source}[${index}]`;
    if (typeof entry === 'string')
      return { rule: { effect, ...parseAt(entry, place) }, text: entry.trim(), source: place };
    if (!isRecord(entry))
      throw new PolicyError(`Cannot read ${place}: a rule is a string or an object, not ${show(entry)}`);
    if (entry.effect !== undefined && entry.effect !== effect) {
      throw new PolicyError(
        `Cannot read ${place}: it says effect ${show(entry.effect)} in the ${effect} list; leave 'effect' out`,
      );
    }
    return checkObject(entry, effect, place);
  });
}

function parseAt(entry: string, place: string): RuleBody {
  try {
    return parseRule(entry);
  } catch (error) {
    throw error instanceof PolicyError ? new PolicyError(`${error.message} (${place})`, { cause: error }) : error;
  }
}

function checkDefault(value: unknown, source: string): RuleEffect {
  if (value === undefined) return 'allow';
  if (EFFECTS.includes(value as RuleEffect)) return value as RuleEffect;
  throw new PolicyError(`Cannot read ${source}: 'default' must be deny, ask or allow, not ${show(value)}`);
}

function checkObject(entry: Record<string, unknown>, effect: RuleEffect, source: string): CheckedRule {
  refuseUnknownKeys(entry, RULE_KEYS, source);
  if (typeof entry.tool !== 'string' || entry.tool === '')
    throw new PolicyError(`Cannot read ${source}: 'tool' must name a tool, or be *`);
  const tool = parseToolName(entry.tool, entry.tool);
  const rule: PermissionRule = {
    effect,
    tool,
    ...optional('command', texts(entry.command, 'command', source)),
    ...optional('path', texts(entry.path, 'path', source)),
    ...optional('args', args(entry.args, source)),
    ...optional('domain', domain(entry.domain, source)),
    ...optional('reason', text(entry.reason, 'reason', source)),
    ...optional('match', examples(entry.match, 'match', source)),
    ...optional('notMatch', examples(entry.notMatch, 'notMatch', source)),
  };
  refuseMeaningless(rule, source);
  return { rule, text: showRule(rule), source };
}

/** A rule whose pattern could never meet a call of its tool looks right and does nothing. */
function refuseMeaningless(rule: PermissionRule, source: string): void {
  const { tool, command, path, args: matchers, domain: host, effect } = rule;
  const patterns = [command, path, matchers, host].filter((pattern) => pattern !== undefined);
  if (patterns.length > 1)
    throw new PolicyError(`Cannot read ${source}: only one of 'command', 'path', 'args' and 'domain' may be given`);
  if (host !== undefined && (tool === SHELL_TOOL || isFileTool(tool)))
    throw new PolicyError(`Cannot read ${source}: 'domain' is for tools that take a url, such as fetch, not ${tool}`);
  if (command !== undefined && tool !== SHELL_TOOL)
    throw new PolicyError(`Cannot read ${source}: only shell takes 'command', not ${tool}`);
  if (path !== undefined && !isFileTool(tool))
    throw new PolicyError(`Cannot read ${source}: only file tools take 'path', not ${tool}`);
  if (matchers !== undefined && effect === 'allow')
    throw new PolicyError(`Cannot read ${source}: 'args' is for deny and ask rules`);
}

function refuseUnknownKeys(value: Record<string, unknown>, known: readonly string[], source: string): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    throw new PolicyError(`Cannot read ${source}: ${unknownName(key, known, { what: 'key' })}`);
  }
}

function text(value: unknown, name: string, source: string): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw new PolicyError(`Cannot read ${source}: '${name}' must be a text, not ${show(value)}`);
}

function texts(value: unknown, name: string, source: string): string | string[] | undefined {
  if (value === undefined) return undefined;
  const list = Array.isArray(value) ? value : [value];
  if (list.length === 0 || !list.every((one) => typeof one === 'string' && one.trim() !== '')) {
    throw new PolicyError(`Cannot read ${source}: '${name}' must be a text or a list of texts, none of them empty`);
  }
  return value as string | string[];
}

function examples(value: unknown, name: string, source: string): string[] | undefined {
  if (value === undefined) return undefined;
  const list = texts(value, name, source);
  return list === undefined ? undefined : [list].flat();
}

function domain(value: unknown, source: string): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && isHostPattern(value)) return value;
  throw new PolicyError(
    `Cannot read ${source}: 'domain' must be a host name such as example.com or *.example.com, not ${show(value)}`,
  );
}

function args(value: unknown, source: string): Record<string, unknown> | undefined {
  if (value === undefined) return undefined;
  if (!isRecord(value) || Object.keys(value).length === 0)
    throw new PolicyError(`Cannot read ${source}: 'args' must be an object of argument names`);
  return value;
}

function optional<Key extends string, Value>(key: Key, value: Value | undefined): { [key in Key]?: Value } {
  return (value === undefined ? {} : { [key]: value }) as { [key in Key]?: Value };
}

function showRule({ tool, command, path, args: matchers, domain: host }: PermissionRule): string {
  if (host !== undefined) return `${tool}(domain:${host})`;
  const specifier = command ?? path;
  if (specifier !== undefined) return `${tool}(${[specifier].flat().join(command === undefined ? ', ' : ' ')})`;
  return matchers === undefined ? tool : `${tool}(${JSON.stringify(matchers)})`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
