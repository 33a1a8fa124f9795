import { similarity } from './similarity.js';
import { cut } from './text-lines.js';

const SHOWN_CHARACTERS = 400;
/** Lines compared when looking for a similar one; a file may hold millions. */
const COMPARED_LINES = 20_000;
const COMPARED_CHARACTERS = 500;

/** One or two sentences on why `wanted` is not in `text` and what to send instead. */
export function explainNotFound(text: string, wanted: string): string {
  return (
    lineEndHint(text, wanted) ??
    lineNumberHint(text, wanted) ??
    escapeHint(text, wanted) ??
    whitespaceHint(text, wanted) ??
    typographyHint(text, wanted) ??
    similarLineHint(text, wanted) ??
    'Read the file again and copy the text exactly'
  );
}

function lineEndHint(text: string, wanted: string): string | undefined {
  const unixText = text.replaceAll('\r\n', '\n');
  const unixWanted = wanted.replaceAll('\r\n', '\n');
  if (!unixText.includes(unixWanted)) return undefined;
  return wanted.includes('\r\n')
    ? 'It matches but for line ends: the file has LF (\\n) there, old_string has CRLF (\\r\\n)'
    : 'It matches but for line ends: the file has CRLF (\\r\\n) there; use \\r\\n in old_string and new_string';
}

function lineNumberHint(text: string, wanted: string): string | undefined {
  const bare = wanted.replaceAll(/^ *\d+(?:[:→|]|\t) ?/gm, '');
  return bare !== wanted && bare !== '' && text.includes(bare)
    ? 'old_string starts with line numbers; leave them out'
    : undefined;
}

function escapeHint(text: string, wanted: string): string | undefined {
  const unescaped = wanted.replaceAll(/\\([ntr"'\\])/g, (_, letter: string) => ESCAPES[letter] ?? letter);
  return unescaped !== wanted && text.includes(unescaped)
    ? 'old_string is escaped once too often: it holds a backslash where the file has the character itself'
    : undefined;
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r' };

function whitespaceHint(text: string, wanted: string): string | undefined {
  const lines = text.split('\n');
  const wantedLines = trimBlank(wanted.split('\n').map(squeeze));
  if (wantedLines.length === 0) return undefined;
  const squeezed = lines.map(squeeze);
  const start = squeezed.findIndex((_, index) =>
    wantedLines.every((line, offset) => squeezed[index + offset] === line),
  );
  if (start === -1) return undefined;
  const actual = lines.slice(start, start + wantedLines.length).join('\n');
  const where =
    wantedLines.length === 1
      ? `Line ${start + 1} differs`
      : `Lines ${start + 1} to ${start + wantedLines.length} differ`;
  return `${where} from it only in whitespace; the file has ${JSON.stringify(cut(actual, SHOWN_CHARACTERS))}`;
}

function squeeze(line: string): string {
  return line.trim().replaceAll(/\s+/g, ' ');
}

function trimBlank(lines: string[]): string[] {
  const first = lines.findIndex((line) => line !== '');
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1);
}

function typographyHint(text: string, wanted: string): string | undefined {
  const plain = plainCharacters(wanted);
  const at = plainCharacters(text).indexOf(plain);
  if (at === -1) return undefined;
  return `It matches but for look-alike characters (quotes, dashes, spaces or accents); the file has ${JSON.stringify(cut(text.slice(at, at + plain.length), SHOWN_CHARACTERS))}`;
}

/** Keeps the length, so that an index in the result is an index in the text; composed and decomposed accents count as look-alikes only where NFC keeps lengths. */
function plainCharacters(text: string): string {
  return text
    .replaceAll(/[\u2018\u2019\u201A\u2032]/g, "'")
    .replaceAll(/[\u201C\u201D\u201E\u2033]/g, '"')
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll(/[\u00A0\u2007\u202F]/g, ' ');
}

function similarLineHint(text: string, wanted: string): string | undefined {
  const target = wanted
    .split('\n')
    .map((line) => line.trim())
    .reduce((longest, line) => (line.length > longest.length ? line : longest), '')
    .slice(0, COMPARED_CHARACTERS);
  let best: { line: number; text: string; score: number } | undefined;
  for (const [index, line] of text.split('\n', COMPARED_LINES).entries()) {
    const score = similarity(line.trim().slice(0, COMPARED_CHARACTERS), target);
    if (score >= 0.6 && score > (best?.score ?? 0)) best = { line: index + 1, text: line, score };
  }
  return best && `The most similar line is ${best.line}: ${JSON.stringify(cut(best.text, SHOWN_CHARACTERS))}`;
}
