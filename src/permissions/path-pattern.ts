import picomatch from 'picomatch';
import type { CallPath } from './call-path.js';
import { readCallPath } from './call-path.js';

const OPTIONS = { dot: true, nonegate: true, noextglob: true, strictSlashes: false } as const;
/** Where a `~` in a path may lead: the sandbox's home differs by backend. */
const HOMES = ['/home/*', '/root'];

/** A path rule's pattern, gitignore-like. */
export interface PathPattern {
  /** Globs relative to the workspace root, `/`-separated; empty when the pattern lies outside it. */
  readonly globs: readonly string[];
  /** Restricting rules compare without regard to case, allowing ones exactly. */
  matches(path: CallPath): boolean;
}

/**
 * `/x` is anchored at the workspace, `//x` at the root of the file system, `./x` at the working directory, `~/x` at
 * the home; a bare name matches at any depth; a directory stands for all that is in it. `dir/**` matches at any depth
 * when the rule restricts and is anchored when it allows.
 */
export function compilePathPattern(
  pattern: string,
  { restricts, hostRoot }: { restricts: boolean; hostRoot?: string | undefined },
): PathPattern {
  const text = pattern.normalize('NFC');
  if (text.startsWith('//') || text.startsWith('~/')) return absolutePattern(text, restricts, hostRoot);
  const globs = withContents(relativeGlob(text, restricts));
  const isMatch = matcher(globs, restricts);
  return { globs, matches: ({ inWorkspace }) => inWorkspace !== undefined && isMatch(inWorkspace) };
}

function absolutePattern(text: string, restricts: boolean, hostRoot: string | undefined): PathPattern {
  const rooted = text.startsWith('~/') ? HOMES.map((home) => home + text.slice(1)) : [text.slice(1)];
  const isMatch = matcher(rooted.flatMap(withContents), restricts);
  // A `~` that no shell expands is a directory of that name.
  const literalHome = text.startsWith('~/') ? matcher(withContents(text), restricts) : () => false;
  const inside = rooted.flatMap((glob) => readCallPath(glob, hostRoot).inWorkspace ?? []);
  const globs = inside.flatMap(withContents);
  const isInside = matcher(globs, restricts);
  return {
    globs,
    matches: ({ inWorkspace, absolute }) =>
      isMatch(absolute) || (inWorkspace !== undefined && (isInside(inWorkspace) || literalHome(inWorkspace))),
  };
}

function relativeGlob(text: string, restricts: boolean): string {
  const isDirectory = text.endsWith('/');
  const body = text.replace(/^\.?\//, '').replace(/\/+$/, '') || '**';
  const anchored = /^\.?\//.test(text) || isAnchoredBySlash(body, restricts);
  const glob = anchored || body.startsWith('**') ? body : `**/${body}`;
  return isDirectory ? `${glob}/**` : glob;
}

/** As in a .gitignore, a slash inside anchors; but `dir/**` of a restricting rule holds wherever `dir` is. */
function isAnchoredBySlash(body: string, restricts: boolean): boolean {
  const withoutContents = body.replace(/\/\*\*$/, '');
  return restricts ? withoutContents.includes('/') && withoutContents === body : body.includes('/');
}

function withContents(glob: string): string[] {
  return glob.endsWith('/**') || glob === '**' ? [glob] : [glob, `${glob}/**`];
}

function matcher(globs: readonly string[], restricts: boolean): (path: string) => boolean {
  if (globs.length === 0) return () => false;
  const isMatch = picomatch([...globs], { ...OPTIONS, nocase: restricts });
  return (path) => isMatch(path);
}
