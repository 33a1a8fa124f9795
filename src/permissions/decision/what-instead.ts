import type { Decision } from '../rules/rule.js';

/** What whoever made a call may do instead, so that they do not try the next spelling. */
export function whatInstead({ effect, rule, certainty, part, why }: Decision, toolName: string): string | undefined {
  if (effect === 'allow') return undefined;
  if (effect === 'ask') return 'Wait for a person to approve it, or use what is allowed without asking';
  if (rule === undefined) return 'Nothing allows this call: use another tool, or ask a person to allow it';
  if (rule.source === 'permissionMode') return undefined;
  if (certainty === 'could be') {
    if (part === undefined)
      return `Write the ${toolName === 'shell' ? 'command' : 'call'} so that it can be read in full (${why ?? 'part of it is not understood'})`;
    return 'Write names and paths plainly, without variables, substitutions or patterns that could stand for what is denied';
  }
  return 'No other spelling of it is allowed: leave this out, or ask a person to do it';
}
