import { Refusal } from '../refusal.js';
import { compileGlob } from './glob-pattern.js';

const MAX_PATTERNS = 100;

export interface GlobSetOptions {
  /** The directory that patterns are relative to, in the sandbox's namespace; absolute patterns must lie in it. */
  base: string;
  /** A pattern without a slash matches at any depth, as in ripgrep's `--glob`. */
  anyDepth: boolean;
}

/**
 * Tells whether a path matches one of the patterns and none that begins with `!`. Only such patterns: everything else matches.
 * @throws `Refusal` `bad_pattern`
 */
export function compileGlobs(patterns: readonly string[], options: GlobSetOptions): (path: string) => boolean {
  if (patterns.length === 0) throw new Refusal('bad_pattern', 'No pattern was given');
  if (patterns.length > MAX_PATTERNS) throw new Refusal('bad_pattern', `More than ${MAX_PATTERNS} patterns were given`);
  const wanted: ((path: string) => boolean)[] = [];
  const unwanted: ((path: string) => boolean)[] = [];
  for (const pattern of patterns) {
    const negative = pattern.startsWith('!') && !pattern.startsWith('!(');
    (negative ? unwanted : wanted).push(compile(negative ? pattern.slice(1) : pattern, options));
  }
  return (path) =>
    (wanted.length === 0 || wanted.some((matches) => matches(path))) && !unwanted.some((matches) => matches(path));
}

function compile(pattern: string, { base, anyDepth }: GlobSetOptions): (path: string) => boolean {
  if (!pattern.startsWith('/')) {
    if (!anyDepth || pattern.includes('/')) return compileGlob(pattern);
    const matches = compileGlob(pattern);
    return (path) => matches(path.slice(path.lastIndexOf('/') + 1));
  }
  if (!pattern.startsWith(`${base}/`)) {
    throw new Refusal(
      'bad_pattern',
      `The pattern '${pattern.slice(0, 200)}' does not lie in '${base}'; set the directory to search, or use a relative pattern`,
    );
  }
  return compileGlob(pattern.slice(base.length + 1));
}
