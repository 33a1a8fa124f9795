import { createTextRedactor, redactValue } from '../sandbox/redact.js';
import type { ToolErrorResult } from '../tool/result.js';

/** A shorter text is found in too much that is no secret. */
const MIN_LENGTH = 4;

type Clean = (text: string) => string;

/**
 * Makes a function that copies plain data with every secret replaced, in texts and in names, also where it was
 * written as JSON inside a text, URL-encoded or in base64.
 * @throws TypeError for a secret that is too short to be told apart
 */
export function createRedactor(secrets: readonly string[]): <T>(value: T) => T {
  for (const secret of secrets) {
    if (typeof secret !== 'string' || secret.length < MIN_LENGTH) {
      throw new TypeError(`'redact' takes texts of at least ${MIN_LENGTH} characters`);
    }
  }
  if (secrets.length === 0) return (value) => value;
  const clean = createTextRedactor(secrets);
  return <T>(value: T) => redactValue(value, clean) as T;
}

/** Fields whose texts are words of the host's own: a value that happens to be one of them must not break an event. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  'type',
  'time',
  'where',
  'status',
  'kind',
  'code',
  'mode',
  'effect',
  'decision',
  'certainty',
  'name',
  'workspaceMode',
  'network',
  'isolation',
  'transport',
]);
/** Fields that hold what a model or a tool made up, names and all. */
const FOREIGN: ReadonlySet<string> = new Set(['args', 'output']);

/** A copy of an event, or of an error, that keeps its form. */
export function redactRecord<T extends object>(record: T, clean: Clean): T {
  return keepForm(record, clean) as T;
}

/** The same for an error that a model gets. */
export function redactError(error: ToolErrorResult, clean: Clean): ToolErrorResult {
  const { toolName, error: name, ...rest } = error;
  return { error: name, toolName, ...redactRecord(rest, clean) };
}

function keepForm(value: unknown, clean: Clean): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((item) => keepForm(item, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (FOREIGN.has(key)) return [key, redactValue(member, clean)];
      return [key, typeof member === 'string' && OWN_WORDS.has(key) ? member : keepForm(member, clean)];
    }),
  );
}
