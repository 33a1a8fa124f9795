import { createHash } from 'node:crypto';

/** The same for the same JSON value, whatever the order of its members. */
export function fingerprint(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('base64url');
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}
