import { closeSync } from 'node:fs';
import type { DirectoryEntry, FileStat, GlobQuery, GlobResult, GrepQuery, GrepResult } from '../protocol/files.js';
import { LOST_BYTES } from './direct/unnamed-entries.js';
import { readAt, readToEnd } from './file-bytes.js';
import type { FilePart, ListOptions, WriteOptions } from './file-layer.js';
import { toFileStat } from './file-stat.js';
import type { Workspace } from './open-workspace.js';
import { byName } from './overlay/lower-base.js';
import { atTarget, Refusal } from './refusal.js';
import { type ExistingPlace, givenBelow, namespacePath, type Place, resolvePath } from './resolve.js';
import { renamePlace } from './rules/rename-place.js';
import { globTree } from './search/glob.js';
import { grepTree } from './search/grep.js';
import { type OpenFile, pathOf } from './tree.js';

/** The operations of `FileLayer`, each from path to answer. They throw `Refusal`, `Moved` and system errors. */

export function readFile(space: Workspace, path: string, maxBytes: number): Uint8Array {
  const place = existing(find(space, path, true));
  space.guard.require('denyRead', place);
  const { fd, stat } = openReadable(space, place);
  try {
    return readToEnd(fd, Number(stat.size), maxBytes);
  } finally {
    closeSync(fd);
  }
}

export function readPart(
  space: Workspace,
  path: string,
  { offset, maxBytes }: { offset: number; maxBytes: number },
): FilePart {
  const place = existing(find(space, path, true));
  space.guard.require('denyRead', place);
  const { fd, stat } = openReadable(space, place);
  try {
    const { size, version } = toFileStat(stat);
    return { bytes: readAt(fd, offset, Math.min(maxBytes, Math.max(0, size - offset))), size, version };
  } finally {
    closeSync(fd);
  }
}

export function writeFile(space: Workspace, path: string, options: WriteOptions & { data: Uint8Array }): void {
  const place = resolvePath(space.trees, path, {
    follow: true,
    ...(options.parents === true ? { makeDirectory: (missing: Place) => makeOne(space, missing) } : {}),
  });
  if (path.endsWith('/') || place.stat?.isDirectory() === true) throw new Refusal('is_directory', 'it is a directory');
  space.guard.require('denyWrite', place);
  space.guard.requireReplaceable(place);
  const { append = false, ifVersion, mode } = options;
  if (append && place.stat !== undefined) space.guard.requireNotDeniedElsewhere(place.stat);
  place.tree.write(place, options.data, { append, ifVersion, mode });
}

export function statFile(space: Workspace, path: string, follow: boolean): FileStat {
  return toFileStat(existing(find(space, path, follow)).stat);
}

export function listDirectory(
  space: Workspace,
  path: string,
  { readable = false, onUnnamed }: ListOptions,
): DirectoryEntry[] {
  const place = existing(find(space, path, true));
  if (!place.stat.isDirectory()) throw new Refusal('not_directory', 'it is not a directory');
  const { tree } = place;
  const dir = pathOf(place);
  const found: DirectoryEntry[] = [];
  for (const { name, unnamed } of tree.entries(dir).sort(byName)) {
    const stat = unnamed === undefined ? tree.lstat({ dir, name }) : undefined;
    if (unnamed !== undefined || (stat === undefined && name.includes(LOST_BYTES))) onUnnamed?.(name, unnamed ?? '');
    if (stat === undefined) continue;
    if (readable && space.guard.denies('denyRead', { tree, dir, name, stat, given: givenBelow(place, name) })) continue;
    const { type, size } = toFileStat(stat);
    found.push(type === 'symlink' ? { name, type, size, target: linkText(tree, { dir, name }) } : { name, type, size });
  }
  return found;
}

export function makeDirectory(space: Workspace, path: string, recursive: boolean): void {
  const make = recursive ? { makeDirectory: (missing: Place) => makeOne(space, missing) } : {};
  let place = resolvePath(space.trees, path, { follow: false, ...make });
  if (place.stat === undefined) {
    makeOne(space, place);
    return;
  }
  if (recursive && place.stat.isSymbolicLink()) place = find(space, path, true);
  if (!recursive || place.stat?.isDirectory() !== true) throw new Refusal('exists', 'it already exists');
}

export function remove(space: Workspace, path: string, recursive: boolean): boolean {
  const place = findOrNothing(space, path);
  if (place?.stat === undefined) return false;
  if (place.name === '') throw new Refusal('access_denied', 'it is a root of the sandbox');
  space.guard.require('denyWrite', place);
  space.guard.requireReplaceable(place);
  space.guard.requireUnheld(place);
  if (!place.stat.isDirectory()) {
    place.tree.unlink(place);
    return true;
  }
  space.guard.requireMovable(place);
  if (recursive) place.tree.removeTree(place);
  else place.tree.rmdir(place);
  return true;
}

export function rename(space: Workspace, from: string, to: string): void {
  const source = existing(find(space, from, false));
  renamePlace(
    source,
    atTarget(() => find(space, to, false)),
    space.guard,
  );
}

export function link(space: Workspace, source: string, path: string): void {
  const from = existing(find(space, source, true));
  const to = free(find(space, path, false));
  if (from.stat.isDirectory()) throw new Refusal('is_directory', 'a directory cannot have a second name');
  if (!from.stat.isFile()) throw new Refusal('not_regular_file', 'only regular files can have a second name');
  space.guard.require('denyRead', from);
  space.guard.requireNotDeniedElsewhere(from.stat);
  space.guard.require('denyWrite', to);
  if (from.tree !== to.tree) {
    throw new Refusal(
      'unsupported',
      `a second name must be in the same tree as the file (${from.tree.mount}); copy the file instead`,
    );
  }
  from.tree.link(from, to);
}

export function symlink(space: Workspace, target: string, path: string): void {
  if (target === '' || target.includes('\0') || Buffer.byteLength(target) > MAX_LINK_BYTES) {
    throw new Refusal('invalid_input', `a link's target is 1 to ${MAX_LINK_BYTES} bytes, without NUL`, 'ENAMETOOLONG');
  }
  const place = free(find(space, path, false));
  space.guard.require('denyWrite', place);
  space.guard.requireLink(place, target);
  place.tree.symlink(target, place);
}

export function readlink(space: Workspace, path: string): string {
  const place = existing(find(space, path, false));
  if (!place.stat.isSymbolicLink()) throw new Refusal('invalid_input', 'it is not a symbolic link');
  return linkText(place.tree, place);
}

export function realpath(space: Workspace, path: string): string {
  return namespacePath(existing(find(space, path, true)));
}

export function chmod(space: Workspace, path: string, mode: number): void {
  const place = changeable(space, path);
  if (place.name === '' && (mode & 0o700) !== 0o700) {
    throw new Refusal('access_denied', 'a root of the sandbox must stay open to its owner');
  }
  place.tree.chmod(place, mode);
}

export function utimes(space: Workspace, path: string, times: { atimeMs: number; mtimeMs: number }): void {
  if (!Number.isFinite(times.atimeMs) || !Number.isFinite(times.mtimeMs)) {
    throw new Refusal('invalid_input', 'times must be finite numbers of milliseconds');
  }
  const place = changeable(space, path);
  place.tree.utimes(place, times.atimeMs, times.mtimeMs);
}

export function glob(
  space: Workspace,
  cwd: string,
  search: { patterns: readonly string[]; query: GlobQuery },
): GlobResult {
  return globTree(find(space, cwd, true), {
    ...search,
    isHidden: (place) => space.guard.denies('denyRead', place),
  });
}

export function grep(space: Workspace, path: string, search: { pattern: string; query: GrepQuery }): GrepResult {
  return grepTree(find(space, path, true), {
    ...search,
    requireReadable: (place) => space.guard.require('denyRead', place),
    open(place) {
      const { fd, stat } = openReadable(space, place);
      return { fd, size: Number(stat.size) };
    },
  });
}

const MAX_LINK_BYTES = 4095;

function find(space: Workspace, path: string, follow: boolean): Place {
  try {
    return resolvePath(space.trees, path, { follow });
  } catch (error) {
    // A file may stand in for a directory that a rule hides: the rule is the better answer.
    if (error instanceof Refusal && error.code === 'not_directory') space.guard.requireName('denyRead', path);
    throw error;
  }
}

function findOrNothing(space: Workspace, path: string): Place | undefined {
  try {
    return find(space, path.replace(/\/+$/, '') || path, false);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return undefined;
    throw error;
  }
}

function existing(place: Place): ExistingPlace {
  if (place.stat === undefined) throw new Refusal('not_found', 'no such file or directory');
  return place as ExistingPlace;
}

function free(place: Place): Place {
  if (place.stat !== undefined) throw new Refusal('exists', 'it already exists');
  return place;
}

function makeOne(space: Workspace, place: Place): void {
  space.guard.require('denyWrite', place);
  place.tree.mkdir(place, 0o755);
}

/** For changes of mode and times: they replace a file that has several names by a copy. */
function changeable(space: Workspace, path: string): ExistingPlace {
  const place = existing(find(space, path, true));
  space.guard.require('denyWrite', place);
  space.guard.requireReplaceable(place);
  if (place.stat.isFile()) space.guard.requireNotDeniedElsewhere(place.stat);
  return place;
}

function openReadable(space: Workspace, place: Place): OpenFile {
  const file = place.tree.open(place);
  try {
    space.guard.requireNotDeniedElsewhere(file.stat);
    return file;
  } catch (error) {
    closeSync(file.fd);
    throw error;
  }
}

/** A link that the host made may name the workspace's host path: shown as the sandbox calls it. */
function linkText(tree: Place['tree'], at: { dir: string; name: string }): string {
  const text = tree.readlink(at);
  const inside = text.startsWith('/') ? tree.fromHostPath(text) : undefined;
  if (inside === undefined) return text;
  return inside === '' ? tree.mount : `${tree.mount}/${inside}`;
}
