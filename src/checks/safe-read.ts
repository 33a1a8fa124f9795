const UNREADABLE = 'A value that cannot be read was thrown';

/** A property, without running into what a hostile object does when it is read. */
export function readProperty(target: object, key: string): unknown {
  try {
    return (target as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}

/** `String(value)` that never throws. */
export function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return UNREADABLE;
  }
}
