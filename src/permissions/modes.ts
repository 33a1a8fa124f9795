import type { Decision, PermissionMode } from './rules/rule.js';

export const PERMISSION_MODES: readonly PermissionMode[] = ['default', 'plan', 'acceptEdits', 'dontAsk'];

/**
 * A mode's verdict on what the rules left: `plan` denies tools that are not marked read-only, `acceptEdits` answers
 * the question for file edits, `dontAsk` turns a question into a refusal. It never lifts a deny.
 */
export function applyMode(
  decision: Decision,
  mode: PermissionMode,
  tool: { name: string; readOnly: boolean },
): Decision {
  if (decision.effect === 'deny' || mode === 'default') return decision;
  if (mode === 'plan')
    return tool.readOnly ? decision : denied(mode, 'Plan mode: only read-only tools run. Describe the change instead');
  if (mode === 'acceptEdits') {
    const isEdit = tool.name === 'write_file' || tool.name === 'edit_file';
    return isEdit && decision.effect === 'ask' ? { ...decision, effect: 'allow' } : decision;
  }
  return decision.effect === 'ask' ? denied(mode, 'This call needs approval and nobody may be asked now') : decision;
}

function denied(mode: PermissionMode, reason: string): Decision {
  return { effect: 'deny', rule: { text: `mode ${mode}`, source: 'permissionMode', reason }, certainty: 'yes' };
}
