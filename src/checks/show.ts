const SHOWN_CHARACTERS = 60;

/** A value as an error message names it: what it is, and of a text its beginning. Never throws. */
export function show(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value.length > SHOWN_CHARACTERS ? `'${value.slice(0, SHOWN_CHARACTERS)}…'` : `'${value}'`;
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? 'an array' : 'an object';
    case 'function':
      return 'a function';
    default:
      return String(value);
  }
}
