/** An own member of a value that a model or a network wrote; `undefined` when there is none. */
export function member(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

/** An own member that is a text; an absent, empty or other one is `undefined`. */
export function textMember(value: unknown, key: string): string | undefined {
  const found = member(value, key);
  return typeof found === 'string' && found !== '' ? found : undefined;
}
