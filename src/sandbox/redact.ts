const REPLACEMENT = '[redacted]';
/** Below this an encoded piece says too little to be told from what is no secret. */
const MIN_PIECE_LENGTH = 6;
const MIN_LINE_LENGTH = 8;

/**
 * Makes a function that takes every secret out of a text: as it is, line by line, as JSON writes it inside a text,
 * URL-encoded, and in base64 (also in the middle of something longer, as in a basic authorization header).
 */
export function createTextRedactor(secrets: Iterable<string>): (text: string) => string {
  const spellings = [...new Set([...secrets].flatMap(spellingsOf))].sort((left, right) => right.length - left.length);
  return (text) => spellings.reduce((cleaned, spelling) => cleaned.replaceAll(spelling, REPLACEMENT), text);
}

function spellingsOf(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    ...linesOf(secret),
    escaped,
    JSON.stringify(escaped).slice(1, -1),
    ...urlSpellings(secret),
    ...base64Spellings(secret),
  ];
}

/** A key in several lines is often shown in part. */
function linesOf(secret: string): string[] {
  const lines = secret.split(/\r?\n/);
  return lines.length === 1 ? [] : lines.filter((line) => line.length >= MIN_LINE_LENGTH);
}

function urlSpellings(secret: string): string[] {
  if (!secret.isWellFormed()) return [];
  const encoded = encodeURIComponent(secret);
  const lower = encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  return [encoded, lower, encoded.replaceAll('%20', '+')];
}

/** By itself, and what is left of it at each of the three offsets that something before it can give it. */
function base64Spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const pieces = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const first = Math.ceil((offset * 4) / 3);
    const end = Math.floor(((offset + bytes.length) * 4) / 3);
    return encoded.slice(first, end);
  });
  const kept = [bytes.toString('base64'), ...pieces.filter((piece) => piece.length >= MIN_PIECE_LENGTH)];
  return kept.flatMap((piece) => [piece, piece.replaceAll('+', '-').replaceAll('/', '_')]);
}

/** A copy of plain data in which `clean` was used on every text and every name. */
export function redactValue(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [clean(key), redactValue(member, clean)]));
}
