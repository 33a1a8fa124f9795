const MAX_DEPTH = 4;
/** Members that are looked at: a context may hold half a program. */
const MAX_MEMBERS = 1_000;

/** Names of members whose texts are secrets. */
const SECRET_NAME =
  /(?:^|[^a-z])(?:env|auth|cookie|authorization|credentials?)$|token|secret|passw(?:or)?d|passphrase|api_?-?key|private_?-?key|access_?-?key/i;

/**
 * The texts of a context that are secrets by the name they stand under, or by that of an object around them (`env`,
 * `credentials`). Getters are not called, and what is no plain object or array is not looked into.
 */
export function secretsInContext(context: unknown): Record<string, string> {
  const found: Record<string, string> = {};
  let left = MAX_MEMBERS;
  look(context, { depth: 0, isSecret: false });
  return found;

  function look(value: unknown, at: { depth: number; isSecret: boolean }): void {
    if (!isPlain(value) || at.depth > MAX_DEPTH) return;
    for (const name of Object.keys(value)) {
      if (left === 0) return;
      left -= 1;
      const member: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
      const isSecret = at.isSecret || SECRET_NAME.test(name);
      if (typeof member !== 'string') look(member, { depth: at.depth + 1, isSecret });
      else if (isSecret) found[String(left)] = member;
    }
  }
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
