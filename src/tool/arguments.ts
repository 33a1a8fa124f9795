import { ROOT_PATH, type ValidationIssue } from './result.js';

export type ReadArguments = { ok: true; value: unknown } | { ok: false; issues: ValidationIssue[] };

const MAX_TEXT_CHARACTERS = 16 * 1024 * 1024;

/**
 * Reads a call's raw arguments: JSON text, or a value that passes as it is. Blank text and `undefined` are `{}`, as a
 * model writes for a tool without parameters. Text that is not JSON, or longer than 16 Mi characters, is an issue at
 * `(root)`, never a guess.
 */
export function readArguments(raw: unknown): ReadArguments {
  if (raw === undefined) return { ok: true, value: {} };
  if (typeof raw !== 'string') return { ok: true, value: raw };
  if (raw.length > MAX_TEXT_CHARACTERS)
    return refused(`The arguments are ${raw.length} characters long; at most ${MAX_TEXT_CHARACTERS} are read`);
  if (raw.trim() === '') return { ok: true, value: {} };
  try {
    return { ok: true, value: JSON.parse(raw) };
  } catch (error) {
    return refused(`The arguments are not valid JSON: ${(error as SyntaxError).message}`);
  }
}

function refused(message: string): ReadArguments {
  return { ok: false, issues: [{ path: ROOT_PATH, message }] };
}
