import { parsePolicy } from '../policy.js';
import { isReserved } from '../rules/check-policy.js';
import { parseRule } from '../rules/parse-rule.js';
import type { PermissionLists, PermissionRule, RuleEffect } from '../rules/rule.js';
import { canonicalToolName, FOREIGN_TOOLS, isFileTool, SHELL_TOOL } from '../rules/tool-names.js';

type Entry = string | Omit<PermissionRule, 'effect'>;

export interface ImportedPolicy {
  policy: Required<Pick<PermissionLists, 'deny' | 'ask' | 'allow'>> & { default: RuleEffect };
  /** Every rule whose meaning differs here, or that could not be taken over, and why. */
  notes: string[];
}

const EFFECTS = ['deny', 'ask', 'allow'] as const;
const PERMISSION_KEYS = [...EFFECTS, 'defaultMode', 'additionalDirectories', 'disableBypassPermissionsMode'];
/** What else in the settings decides there what may run, and what to do about it here. A star: every name with this in it. */
const SETTINGS: Readonly<Record<string, string>> = {
  sandbox: 'write its paths and domains as rules',
  hooks: "a host has hooks of its own ('hooks' of createToolHost)",
  env: "give a session its 'env'",
  allowManagedPermissionRulesOnly: 'every layer counts here; a project allows only with trustProject',
  'McpServers*': 'name the tools of a server in rules, such as server__*',
  'McpjsonServers*': 'name the tools of a server in rules, such as server__*',
};

/**
 * Reads the `permissions` of a Claude Code `settings.json`: names are mapped, and each rule that means something else
 * here is told.
 * @throws TypeError for what is no settings object
 */
export function importClaudeSettings(settings: unknown): ImportedPolicy {
  if (!isObject(settings))
    throw new TypeError("Cannot import the settings: they are no object with 'permissions' in it");
  const isWhole = settings.permissions !== undefined || !EFFECTS.some((effect) => effect in settings);
  const permissions = isWhole ? (settings.permissions ?? {}) : settings;
  if (!isObject(permissions)) throw new TypeError("Cannot import the settings: they hold no 'permissions' object");
  const notes: string[] = [];
  const lists = Object.fromEntries(
    EFFECTS.map((effect) => [effect, importList(permissions[effect], effect, notes)]),
  ) as Record<RuleEffect, Entry[]>;
  lists.allow = withoutConflicts(lists, notes);
  notes.push(...permissionNotes(permissions), ...(isWhole ? settingsNotes(settings) : []));
  if (isWhole && settings.permissions === undefined) notes.push('permissions: there are none in these settings');
  if ([...lists.deny, ...lists.ask].some((entry) => typeof entry === 'string' && entry.startsWith(`${SHELL_TOOL}(`)))
    notes.push(
      'Bash rules that deny or ask: here they also count in scripts given to another shell, behind any wrapper and where a variable could stand for the words, and flags are a set (`rm -rf` is `rm -r --force` too)',
    );
  return { policy: { ...lists, default: 'ask' }, notes };
}

function importList(list: unknown, effect: RuleEffect, notes: string[]): Entry[] {
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw new TypeError(`Cannot import the settings: '${effect}' is not a list`);
  return list.flatMap((rule) => {
    if (typeof rule === 'string') return importRule(rule, effect, notes);
    notes.push(`${JSON.stringify(rule)}: left out; a rule is a text`);
    return [];
  });
}

/** One of them would keep all of the policy from being loaded; the deny rule is the one that must stay. */
function withoutConflicts({ deny, ask, allow }: Record<RuleEffect, Entry[]>, notes: string[]): Entry[] {
  return allow.filter((entry) => {
    try {
      parsePolicy({ deny, ask, allow: [entry] });
      return true;
    } catch (error) {
      notes.push(`${typeof entry === 'string' ? entry : entry.tool}: left out; ${(error as Error).message}`);
      return false;
    }
  });
}

function importRule(rule: string, effect: RuleEffect, notes: string[]): Entry[] {
  const parts = /^([A-Za-z_]\w*)\((\w+):([\s\S]*)\)$/.exec(rule);
  const tool = canonicalToolName(parts?.[1] ?? '');
  if (parts !== null && tool !== SHELL_TOOL && !isFileTool(tool) && parts[2] !== 'domain') {
    const [, , name = '', value = ''] = parts;
    if (effect === 'allow') {
      notes.push(`${rule}: left out; a rule about an argument may only deny or ask here`);
      return [];
    }
    const missing = missingTool(tool);
    if (missing !== undefined) notes.push(`${rule}: ${missing}`);
    return [{ tool, args: { [name]: value } }];
  }
  if (parts === null && /\(/.test(rule) && FOREIGN_TOOLS.has(rule.slice(0, rule.indexOf('(')))) {
    const name = rule.slice(0, rule.indexOf('('));
    notes.push(`${rule}: left out; this version has no tool called ${name}`);
    return [];
  }
  try {
    const read = parseRule(rule);
    // What it can never match is found when a policy is loaded: better left out here than to break all of it.
    parsePolicy({ [effect]: [spell(read)] });
    for (const note of differences(rule, effect, read)) notes.push(`${rule}: ${note}`);
    // There a path of Edit is one of every tool that edits.
    const isEdit = effect === 'allow' && read.tool === 'edit_file' && read.path !== undefined;
    return isEdit ? [spell(read), spell({ ...read, tool: 'write_file' })] : [spell(read)];
  } catch (error) {
    notes.push(`${rule}: left out; ${(error as Error).message}`);
    return [];
  }
}

function spell({ tool, command, path, domain }: ReturnType<typeof parseRule>): string {
  const specifier = command ?? path ?? (domain === undefined ? undefined : `domain:${domain}`);
  return specifier === undefined ? tool : `${tool}(${[specifier].flat().join(' ')})`;
}

function differences(rule: string, effect: RuleEffect, body: ReturnType<typeof parseRule>): string[] {
  const { tool, command, path, domain } = body;
  if (command !== undefined) return commandDifferences(String(command), effect);
  if (path !== undefined) return pathDifferences(rule, effect, { tool, path: String(path) });
  if (rule === 'MultiEdit') return ['here it is edit_file: the rule is about every edit'];
  if (effect !== 'allow' && (tool === 'edit_file' || tool === 'write_file'))
    return ['here edit_file and write_file are denied or asked about together'];
  return [domain === undefined ? missingTool(tool) : missingTool('fetch')].filter((note) => note !== undefined);
}

function commandDifferences(command: string, effect: RuleEffect): string[] {
  if (effect !== 'allow')
    return command.includes('*')
      ? []
      : ['there it matches this text alone; here it is a prefix, and denies or asks with any arguments after it'];
  return /:\*$|\s\*$/.test(command)
    ? [
        'here flags that write files or run programs (such as `find -exec`, `sed -i`, `git -c`) and most variables before the command are not allowed by a prefix',
      ]
    : [];
}

function pathDifferences(rule: string, effect: RuleEffect, { tool, path }: { tool: string; path: string }): string[] {
  const restricts = effect !== 'allow';
  const found = [
    /^Write\(/.test(rule) && 'there a path in a Write rule never matches, and Edit rules count; here it is matched',
    /^\/(?!\/)/.test(path) &&
      'there it begins where the settings file belongs to, which is your home for your own; here at the workspace',
    restricts &&
      /^[^/~.*][^*?[]*\/\*\*?$/.test(path) &&
      'there it begins at the working directory; here it holds at any depth',
    effect === 'deny' &&
      tool === 'read_file' &&
      'here the sandbox enforces it too: every program that a command runs is refused, not known readers only',
    restricts && tool === 'read_file' && 'here it covers editing as well',
    restricts && tool === 'edit_file' && 'here it covers write_file, and moving and deleting by a command, too',
    !restricts && tool === 'edit_file' && 'here two rules, for edit_file and for write_file',
  ];
  return found.filter((note) => note !== false);
}

function missingTool(tool: string): string | undefined {
  if (!isReserved(tool)) return undefined;
  return `this version has no tool called ${tool}; the rule holds for one of that name`;
}

/** Settings beside the lists that change what is allowed there. */
function permissionNotes(permissions: Record<string, unknown>): string[] {
  const { defaultMode, additionalDirectories, disableBypassPermissionsMode } = permissions;
  const unknown = Object.keys(permissions).filter((key) => !PERMISSION_KEYS.includes(key));
  return [
    ...(defaultMode === undefined
      ? []
      : [`defaultMode '${String(defaultMode)}': not taken over; ${modeAdvice(defaultMode)}`]),
    ...(additionalDirectories === undefined
      ? []
      : ['additionalDirectories: not taken over; a sandbox has one workspace']),
    ...(disableBypassPermissionsMode === undefined
      ? []
      : ['disableBypassPermissionsMode: not needed; there is no such mode here']),
    ...unknown.map((key) => `${key}: not known, and not taken over`),
    "default: there a call that no rule matches is asked about unless it only reads; the imported policy says 'ask'",
  ];
}

function modeAdvice(mode: unknown): string {
  if (['default', 'plan', 'acceptEdits', 'dontAsk'].includes(String(mode)))
    return `set permissionMode: '${String(mode)}' on the host`;
  return mode === 'bypassPermissions'
    ? "no mode here goes past the rules; write default: 'allow' in the policy, and let the sandbox be the boundary"
    : 'there is no such mode here';
}

function settingsNotes(settings: Record<string, unknown>): string[] {
  return Object.entries(SETTINGS).flatMap(([name, advice]) =>
    Object.keys(settings)
      .filter((key) => (name.endsWith('*') ? key.includes(name.slice(0, -1)) : key === name))
      .map((key) => `${key}: not taken over; ${advice}`),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
