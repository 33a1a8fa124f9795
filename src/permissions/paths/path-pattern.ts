import { expandBraces } from '../text/expand-braces.js';
import { isKnown } from '../text/marks.js';
import { callPath, type HostPlace, WORKSPACE } from './call-path.js';
import { foldPath, PathGlob } from './path-glob.js';

/** Where a `~` in a path may lead: the sandbox's home differs by backend. */
const HOMES = ['/home/*', '/root'];

/** A path as a call or command gives it, in the spelling that restricting rules compare. */
export interface AskedPath {
  /** Absolute in the sandbox's namespace, with marks. */
  path: string;
  folded: string;
  known: boolean;
}

/** A path rule's pattern, gitignore-like. */
export interface PathPattern {
  /** Globs relative to the workspace root, `/`-separated; empty when the pattern lies outside it. */
  readonly globs: readonly string[];
  /** A whole segment that every path has which it matches, or `*` and the end of one. Folded where it restricts. */
  readonly key?: string;
  /** Only what git keeps for itself is matched. */
  readonly inGit: boolean;
  matches(asked: AskedPath): 'yes' | 'could be' | 'no';
  /** Whether a word that is not known could be a directory of which all is matched. */
  couldCover(asked: AskedPath): boolean;
  /** Whether what is known of a word leads to a path that is matched, or to the directory of which all is matched. */
  isPointedAtBy(asked: AskedPath, options: { covers: boolean }): boolean;
  /** Whether something in this directory is matched; or could be, where the directory is not known. */
  reachesBelow(asked: AskedPath): boolean;
}

export function askedPath(path: string): AskedPath {
  return { path, folded: foldPath(path), known: isKnown(path) };
}

export interface PathPatternOptions {
  restricts: boolean;
  hostRoot?: string | undefined;
  /** Where commands run on the host: there a restricting rule holds outside the workspace as well. */
  host?: HostPlace | undefined;
  /** Default false. A name stands for itself alone, not for what is in a directory of that name. */
  asWritten?: boolean | undefined;
}

/**
 * `/x` is anchored at the workspace, `//x` at the root of the file system, `./x` at the working directory, `~/x` at
 * the home; a bare name matches at any depth; a directory stands for all that is in it. `dir/**` matches at any depth
 * when the rule restricts and is anchored when it allows.
 */
export function compilePathPattern(
  pattern: string,
  { restricts, hostRoot, host, asWritten = false }: PathPatternOptions,
): PathPattern {
  const places = (expandBraces(pattern.normalize('NFC')) ?? [pattern]).flatMap((text) =>
    placesOf(text, { restricts, hostRoot, host }).filter(({ implied }) => !implied || !asWritten),
  );
  const compiled = places.map(({ glob, ...place }) => ({ ...place, glob: new PathGlob(glob, { folds: restricts }) }));
  const key = commonKey(
    places.filter(({ implied }) => !implied).map(({ glob }) => (restricts ? foldPath(glob) : glob)),
  );
  return {
    globs: places.flatMap(({ glob, base }) => (base ? [] : (insideOf(glob) ?? []))),
    ...(key === undefined ? {} : { key }),
    inGit: places.every(({ glob }) => /\/\.git(?:\/|$)/i.test(glob)),
    matches: ({ path, folded, known }) => {
      const asked = restricts ? folded : path;
      if (known) return compiled.some(({ glob }) => glob.matches(asked)) ? 'yes' : 'no';
      return compiled.some(({ glob, implied, literal }) => !implied && !literal && glob.couldMatch(asked))
        ? 'could be'
        : 'no';
    },
    couldCover: ({ path, folded }) =>
      compiled.some(({ glob, base }) => base && glob.couldMatch(restricts ? folded : path)),
    isPointedAtBy: ({ path, folded }, { covers }) =>
      compiled.some(
        ({ glob, implied, base, literal }) =>
          !literal && (!implied || (covers && base)) && glob.isPointedAtBy(restricts ? folded : path),
      ),
    reachesBelow: ({ path, folded }) => compiled.some(({ glob }) => glob.reachesBelow(restricts ? folded : path)),
  };
}

interface PlacedGlob {
  /** Absolute. */
  glob: string;
  /** Follows from the pattern, and counts for paths that are named plainly only. */
  implied: boolean;
  /** Counts for a path that is known only: that a pattern meets it is no danger. */
  literal?: boolean;
  /** The directory whose contents the pattern names. */
  base: boolean;
}

function placesOf(text: string, { restricts, hostRoot, host }: PathPatternOptions): PlacedGlob[] {
  if (text.startsWith('~/')) {
    const homes = HOMES.map((home) => home + text.slice(1));
    if (host !== undefined) homes.push(callPath(`${escapeGlob(host.home)}${text.slice(1)}`, hostRoot));
    // A `~` that no shell expands is a directory of that name.
    const literal = withContents(`${WORKSPACE}/${text}`).map((place) => ({ ...place, literal: true }));
    return [...homes.flatMap(withContents), ...literal];
  }
  if (text.startsWith('//')) return withContents(callPath(text.slice(1), hostRoot));
  const glob = relativeGlob(text, restricts);
  const inside = withContents(`${WORKSPACE}/${glob}`);
  return restricts && host !== undefined && holdsAnywhere(glob) ? [...inside, ...withContents(`/${glob}`)] : inside;
}

/** One that gives no name is about all of the workspace, not about all of the host. */
function holdsAnywhere(glob: string): boolean {
  return glob.startsWith('**/') && /[^*?/]/.test(glob);
}

function escapeGlob(path: string): string {
  return path.replace(/[*?[\\]/g, '\\$&');
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

function withContents(glob: string): PlacedGlob[] {
  const base = glob.endsWith('/**') ? glob.slice(0, -3) : undefined;
  if (base === undefined || base === WORKSPACE) {
    const direct = { glob, implied: false, base: false };
    return base === undefined ? [direct, { glob: `${glob}/**`, implied: true, base: false }] : [direct];
  }
  const direct = { glob, implied: false, base: false };
  return base.endsWith('**') ? [direct] : [direct, { glob: base, implied: true, base: true }];
}

function insideOf(glob: string): string | undefined {
  return glob.startsWith(`${WORKSPACE}/`) ? glob.slice(WORKSPACE.length + 1) : undefined;
}

/** All alternatives must share it, or an index by it would lose one. */
function commonKey(globs: readonly string[]): string | undefined {
  const keys = new Set(globs.map(keyOf));
  const [key] = keys;
  return keys.size === 1 ? key : undefined;
}

function keyOf(glob: string): string | undefined {
  const segments = glob.split('/').filter((segment) => segment !== '');
  const literal = segments.filter(
    (segment, index) => !/[*?[\\]/.test(segment) && (index > 0 || segment !== 'workspace'),
  );
  return literal.at(-1) ?? extensionKey(segments.at(-1) ?? '');
}

/** `*.pem` is found by `*.pem`. */
function extensionKey(segment: string): string | undefined {
  return segment.startsWith('*') ? /^\*(?=[^*?[\\]*$).*?(\.[^.]+)$/.exec(segment)?.[1]?.replace(/^/, '*') : undefined;
}
