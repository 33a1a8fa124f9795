import { isReserved } from './check-policy.js';
import { parseRule } from './parse-rule.js';
import { parsePolicy } from './policy.js';
import type { PermissionLists, PermissionRule, RuleEffect } from './rule.js';
import { canonicalToolName, isFileTool, SHELL_TOOL } from './tool-names.js';

type Entry = string | Omit<PermissionRule, 'effect'>;

export interface ImportedPolicy {
  policy: Required<Pick<PermissionLists, 'deny' | 'ask' | 'allow'>> & { default: RuleEffect };
  /** Every rule whose meaning differs here, or that could not be taken over, and why. */
  notes: string[];
}

/**
 * Reads the `permissions` of a Claude Code `settings.json`: names are mapped, and each rule that means something else
 * here is told.
 * @throws TypeError for what is no settings object
 */
export function importClaudeSettings(settings: unknown): ImportedPolicy {
  const permissions = (settings as { permissions?: unknown } | null)?.permissions ?? settings;
  if (typeof permissions !== 'object' || permissions === null || Array.isArray(permissions))
    throw new TypeError("Cannot import the settings: they hold no 'permissions' object");
  const notes: string[] = [];
  const lists = Object.fromEntries(
    (['deny', 'ask', 'allow'] as const).map((effect) => [
      effect,
      importList((permissions as Record<string, unknown>)[effect], effect, notes),
    ]),
  ) as Record<'deny' | 'ask' | 'allow', Entry[]>;
  noteSettings(permissions as Record<string, unknown>, notes);
  if ((settings as { sandbox?: unknown }).sandbox !== undefined)
    notes.push('sandbox: not taken over; write its paths and domains as rules');
  if ((settings as { hooks?: unknown }).hooks !== undefined)
    notes.push("hooks: not taken over; a host has hooks of its own ('hooks' of createToolHost)");
  return { policy: { ...lists, default: 'ask' }, notes };
}

function importList(list: unknown, effect: RuleEffect, notes: string[]): Entry[] {
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw new TypeError(`Cannot import the settings: '${effect}' is not a list`);
  return list.flatMap((rule) => importRule(String(rule), effect, notes));
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
  try {
    const read = parseRule(rule);
    // What it can never match is found when a policy is loaded: better left out here than to break all of it.
    parsePolicy({ [effect]: [spell(read)] });
    const note = difference(rule, effect, read);
    if (note !== undefined) notes.push(`${rule}: ${note}`);
    return [spell(read)];
  } catch (error) {
    notes.push(`${rule}: left out; ${(error as Error).message}`);
    return [];
  }
}

function spell({ tool, command, path, domain }: ReturnType<typeof parseRule>): string {
  const specifier = command ?? path ?? (domain === undefined ? undefined : `domain:${domain}`);
  return specifier === undefined ? tool : `${tool}(${[specifier].flat().join(' ')})`;
}

function difference(
  rule: string,
  effect: RuleEffect,
  { tool, command, path, domain }: ReturnType<typeof parseRule>,
): string | undefined {
  if (command !== undefined && effect !== 'allow' && !String(command).includes('*'))
    return 'there it matches this text alone; here it is a prefix, and denies or asks with any arguments after it';
  if (command !== undefined && effect === 'allow' && /:\*$|\s\*$/.test(String(command)))
    return 'here flags that write files or run programs (such as `find -exec`, `sed -i`, `git -c`) and most variables before the command are not allowed by a prefix';
  if (path !== undefined && /^Write\(/.test(rule))
    return 'there a path in a Write rule never matches, and Edit rules count; here it is matched';
  if (path?.toString().startsWith('/') === true && !path.toString().startsWith('//'))
    return 'there it begins where the settings file belongs to, which is your home for your own; here at the workspace';
  if (path !== undefined && tool === 'read_file' && effect === 'deny')
    return 'here the sandbox enforces it too: every program that a command runs is refused, not known readers only';
  if (path !== undefined && tool === 'edit_file')
    return 'here it covers write_file, and moving and deleting by a command, too';
  if (rule === 'MultiEdit') return 'here it is edit_file: the rule is about every edit';
  return domain === undefined ? missingTool(tool) : missingTool('fetch');
}

function missingTool(tool: string): string | undefined {
  if (!isReserved(tool)) return undefined;
  return `this version has no tool called ${tool}; the rule holds for one of that name`;
}

/** Settings beside the lists that change what is allowed there. */
function noteSettings(permissions: Record<string, unknown>, notes: string[]): void {
  const { defaultMode, additionalDirectories, disableBypassPermissionsMode } = permissions;
  if (defaultMode !== undefined)
    notes.push(`defaultMode '${String(defaultMode)}': not taken over; set permissionMode on the host`);
  if (additionalDirectories !== undefined)
    notes.push('additionalDirectories: not taken over; a sandbox has one workspace');
  if (disableBypassPermissionsMode !== undefined)
    notes.push('disableBypassPermissionsMode: not needed; there is no such mode here');
  notes.push(
    "default: there a call that no rule matches is asked about unless it only reads; the imported policy says 'ask'",
  );
}
