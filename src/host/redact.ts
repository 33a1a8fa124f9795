const REPLACEMENT = '[redacted]';
/** A shorter text is found in too much that is no secret. */
const MIN_LENGTH = 4;

/**
 * Makes a function that copies plain data with every secret replaced, in texts and in names, also where it was
 * written as JSON inside a text.
 * @throws TypeError for a secret that is too short to be told apart
 */
export function createRedactor(secrets: readonly string[]): <T>(value: T) => T {
  for (const secret of secrets) {
    if (typeof secret !== 'string' || secret.length < MIN_LENGTH) {
      throw new TypeError(`'redact' takes texts of at least ${MIN_LENGTH} characters`);
    }
  }
  if (secrets.length === 0) return (value) => value;
  const spellings = [...new Set(secrets.flatMap(spellingsOf))].sort((left, right) => right.length - left.length);
  const clean = (text: string) =>
    spellings.reduce((cleaned, spelling) => cleaned.replaceAll(spelling, REPLACEMENT), text);
  return <T>(value: T) => redactValue(value, clean) as T;
}

function spellingsOf(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    escaped,
    JSON.stringify(escaped).slice(1, -1),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
  ];
}

function redactValue(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [clean(key), redactValue(member, clean)]));
}
