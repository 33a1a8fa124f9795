import { Refusal } from '../refusal.js';

const MAX_LENGTH = 1000;
const MAX_REPEATS = 1000;

export interface LinePattern {
  test(line: string): boolean;
  /** Every match holds this text, so lines without it need no test; `undefined`: nothing is known. */
  literal: string | undefined;
}

/**
 * Compiles what to search for: JavaScript's regular expressions, by code point (`u`) where the pattern is valid so, else
 * in the older, more lenient grammar (`\-`, `{` by itself). A leading `(?i)`, as other engines write it, is taken as a flag.
 * @throws `Refusal` `bad_pattern`
 */
export function compileLinePattern(pattern: string, options: { ignoreCase?: boolean; literal?: boolean }): LinePattern {
  if (pattern === '') throw bad('The pattern is empty');
  if (pattern.length > MAX_LENGTH)
    throw bad(`The pattern is longer than ${MAX_LENGTH} characters; search for a part of it`);
  if (options.literal === true && options.ignoreCase !== true)
    return { test: (line) => line.includes(pattern), literal: pattern };
  if (options.literal === true) return fromRegExp(new RegExp(escapeRegExp(pattern), 'iu'), undefined);
  const { source, flags } = leadingFlags(pattern);
  requireFewRepeats(source);
  const ignoreCase = options.ignoreCase === true || flags.includes('i');
  const regex = compileRegExp(source, ignoreCase ? new Set([...flags, 'i']) : new Set(flags));
  return fromRegExp(regex, ignoreCase ? undefined : requiredLiteral(source));
}

function fromRegExp(regex: RegExp, literal: string | undefined): LinePattern {
  return { test: (line) => regex.test(line), literal };
}

function compileRegExp(source: string, flags: ReadonlySet<string>): RegExp {
  const given = [...flags].join('');
  try {
    return new RegExp(source, `${given}u`);
  } catch {
    try {
      return new RegExp(source, given);
    } catch (error) {
      throw bad(error instanceof Error ? error.message : 'The pattern is not a regular expression');
    }
  }
}

function leadingFlags(pattern: string): { source: string; flags: string[] } {
  const found = /^\(\?([ims]+)\)/.exec(pattern);
  if (found === null) return { source: pattern, flags: [] };
  return { source: pattern.slice(found[0].length), flags: [...(found[1] ?? '')] };
}

/** `a{100000}` makes the engine build as many states. */
function requireFewRepeats(source: string): void {
  for (const [, least, most] of source.replace(/\\[\s\S]/g, '__').matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    if (Number(least) > MAX_REPEATS || Number(most ?? 0) > MAX_REPEATS)
      throw bad(`The pattern repeats something more than ${MAX_REPEATS} times`);
  }
}

/** The longest run of plain characters that any match must hold; only for patterns without groups and alternatives. */
function requiredLiteral(source: string): string | undefined {
  if (/[|(){}]/.test(source.replace(/\\[\s\S]/g, '__')) || /\\[xucpPk\d]/.test(source)) return undefined;
  let longest = '';
  for (const { 0: text, index } of source.matchAll(RUNS)) {
    if (!PLAIN.test(text) || '?*'.includes(source[index + text.length] ?? ' ')) continue;
    if (text.length > longest.length) longest = text;
  }
  return longest.length > 1 ? longest : undefined;
}

// A run of plain characters, none of them made optional; or an escape; or a class; or anything else.
const RUNS = /(?:[\w\s"'`,;:<>=!@#%&~/-](?![?*]))+|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S]/g;
const PLAIN = /^[\w\s"'`,;:<>=!@#%&~/-]/;

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function bad(message: string): Refusal {
  return new Refusal('bad_pattern', message);
}
