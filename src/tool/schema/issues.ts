import { ROOT_PATH, type ValidationIssue } from '../result.js';

const MAX_ISSUES = 50;
const MAX_MESSAGE_CHARACTERS = 500;

interface LibraryIssue {
  readonly message?: unknown;
  readonly path?: readonly unknown[] | undefined;
}

/** The issues of zod and of any Standard Schema in the host's form; at most 50, since a model reads them. */
export function toIssues(issues: readonly LibraryIssue[]): ValidationIssue[] {
  const kept = issues.slice(0, MAX_ISSUES).map(toIssue);
  const left = issues.length - kept.length;
  if (left > 0) kept.push({ path: ROOT_PATH, message: `${left} more issues are not shown` });
  return kept.length > 0 ? kept : [{ path: ROOT_PATH, message: 'Invalid value' }];
}

/** Dot-joined, `(root)` for the whole value. */
export function issuePath(segments: readonly unknown[]): string {
  return segments.length === 0 ? ROOT_PATH : segments.map(segmentName).join('.');
}

function toIssue({ message, path }: LibraryIssue): ValidationIssue {
  const text = typeof message === 'string' ? message : 'Invalid value';
  return {
    path: issuePath(path ?? []),
    message: text.length > MAX_MESSAGE_CHARACTERS ? `${text.slice(0, MAX_MESSAGE_CHARACTERS)}…` : text,
  };
}

/** A segment is a key, or (Standard Schema) an object that holds one. */
function segmentName(segment: unknown): string {
  return String(typeof segment === 'object' && segment !== null && 'key' in segment ? segment.key : segment);
}
