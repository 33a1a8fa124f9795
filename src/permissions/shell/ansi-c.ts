const ESCAPE =
  /\\(?:([abeEfnrtv\\'"?])|([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|c([\s\S]))/g;

const SIMPLE: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  E: '\u001b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};

/** The text of a `$'…'` string. As in bash, a NUL ends it. */
export function decodeAnsiC(body: string): string {
  const decoded = body.replace(ESCAPE, (_, simple, octal, hex, short, long, control: string | undefined) => {
    if (simple !== undefined) return SIMPLE[simple] ?? '';
    if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) & 0x1f);
    const code = octal !== undefined ? Number.parseInt(octal, 8) & 0xff : Number.parseInt(hex ?? short ?? long, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  });
  const end = decoded.indexOf('\u0000');
  return end === -1 ? decoded : decoded.slice(0, end);
}
