import type { BigIntStats } from 'node:fs';
import { Refusal } from './refusal.js';
import { isReservedName } from './reserved-name.js';
import { lexicalPath, MOUNTS, parsePath, type SandboxPath } from './sandbox-path.js';
import { joinDir, type Spot, type Tree } from './tree.js';

/** A path after its links: where it is, and what is there. */
export interface Place extends Spot {
  readonly tree: Tree;
  /** `undefined`: nothing is there. */
  readonly stat: BigIntStats | undefined;
  /** The path as given, relative to the workspace, when it differs from the place; for rules. */
  readonly given: string | undefined;
}

export type ExistingPlace = Place & { stat: NonNullable<Place['stat']> };

export interface ResolveOptions {
  /** What a link in the last part leads to, rather than the link itself. */
  follow: boolean;
  /** Makes a directory that is missing on the way; default: `not_found`. */
  makeDirectory?: (place: Place) => void;
}

const MAX_LINKS = 40;

/**
 * Finds the place that a path of the sandbox names, with links taken as the sandbox sees them.
 * @throws `Refusal`: `path_escape`, `not_found`, `not_directory`, `invalid_input`
 */
export function resolvePath(trees: readonly Tree[], path: string, options: ResolveOptions): Place {
  const parsed = parsePath(path);
  const place = (parsed.dotDot ? undefined : byShortcut(trees, parsed, options)) ?? byWalk(trees, parsed, options);
  if (parsed.directoryOnly && place.stat !== undefined && !place.stat.isDirectory()) {
    throw new Refusal('not_directory', 'it is not a directory');
  }
  return place;
}

/** One look for the common case: the tree says where the parent is, and the last part is no link. */
function byShortcut(
  trees: readonly Tree[],
  { parts, directoryOnly }: SandboxPath,
  options: ResolveOptions,
): Place | undefined {
  const mounted = mountOf(trees, parts);
  if (mounted === undefined) return undefined;
  const { tree, length } = mounted;
  const name = parts.length === length ? '' : (parts[parts.length - 1] ?? '');
  const wanted = parts.length - length < 2 ? '' : parts.slice(length, -1).join('/');
  const dir = tree.shortcut(wanted);
  if (dir === undefined) return undefined;
  const stat = tree.lstat({ dir, name });
  if (stat?.isSymbolicLink() === true && (options.follow || directoryOnly)) return undefined;
  const given = dir === wanted ? undefined : givenPath(parts);
  return { tree, dir, name, stat, given };
}

/** Part by part, as the kernel does it, but in the sandbox's namespace. */
function byWalk(trees: readonly Tree[], parsed: SandboxPath, options: ResolveOptions): Place {
  const given = givenPath(parsed.parts);
  const pending = parsed.parts.toReversed();
  let at: string[] = [];
  let links = 0;
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (part === '..') {
      at.pop();
      continue;
    }
    const here = mountOf(trees, at);
    if (here === undefined) {
      at.push(part);
      if (!MOUNTS.some((mount) => mount === `/${at.join('/')}` || mount.startsWith(`/${at.join('/')}/`)))
        throw leadsOut();
      continue;
    }
    const dir = at.slice(here.length).join('/');
    const spot = { tree: here.tree, dir, name: part, given };
    const stat = isReservedName(part) ? undefined : here.tree.lstat(spot);
    const last = pending.length === 0;
    if (stat?.isSymbolicLink() === true && (!last || options.follow || parsed.directoryOnly)) {
      links += 1;
      if (links > MAX_LINKS) throw new Refusal('path_escape', 'too many symbolic links', 'ELOOP');
      const target = targetOf(here.tree, here.tree.readlink(spot));
      if (target.absolute) at = [];
      for (const next of target.parts.toReversed()) pending.push(next);
      continue;
    }
    if (stat === undefined && !last) {
      if (options.makeDirectory === undefined) throw new Refusal('not_found', 'no such file or directory');
      if (pending.includes('..')) throw new Refusal('not_found', 'no such file or directory');
      options.makeDirectory({ ...spot, stat });
    } else if (stat !== undefined && !last && !stat.isDirectory()) {
      throw new Refusal('not_directory', 'a part of the path is not a directory');
    }
    at.push(part);
  }
  return placeAt(trees, at, given);
}

function placeAt(trees: readonly Tree[], at: readonly string[], given: string | undefined): Place {
  const here = mountOf(trees, at);
  if (here === undefined) throw leadsOut();
  const inside = at.slice(here.length);
  const spot = { dir: inside.slice(0, -1).join('/'), name: inside.at(-1) ?? '' };
  return { ...spot, tree: here.tree, stat: here.tree.lstat(spot), given };
}

function targetOf(tree: Tree, text: string): { absolute: boolean; parts: string[] } {
  if (!text.startsWith('/')) return { absolute: false, parts: split(text) };
  const inside = tree.fromHostPath(text);
  return { absolute: true, parts: split(inside === undefined ? text : `${tree.mount}/${inside}`) };
}

function split(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

/** The tree whose mount the parts begin with, and of how many parts the mount is. */
function mountOf(trees: readonly Tree[], parts: readonly string[]): { tree: Tree; length: number } | undefined {
  const [first, second] = parts;
  for (const tree of trees) {
    if (first === 'home') {
      if (tree.mount === '/home/agent' && second === 'agent') return { tree, length: 2 };
    } else if (tree.mount.length === (first?.length ?? -1) + 1 && tree.mount.endsWith(`/${first}`)) {
      return { tree, length: 1 };
    }
  }
  return undefined;
}

/** Where a directory was reached through a link, what is below it was asked for by that way too. */
export function givenBelow(start: Place, path: string): string | undefined {
  return start.given === undefined ? undefined : joinDir(start.given, path);
}

function givenPath(parts: readonly string[]): string | undefined {
  const path = lexicalPath(parts);
  return path.startsWith('/workspace/') ? path.slice('/workspace/'.length) : undefined;
}

function leadsOut(): Refusal {
  return new Refusal('path_escape', 'it leads out of the sandbox; only /workspace, /tmp and /home/agent exist');
}

/** The place as a path of the sandbox. */
export function namespacePath(place: Place): string {
  const inside = joinDir(place.dir, place.name);
  return inside === '' ? place.tree.mount : `${place.tree.mount}/${inside}`;
}
