import { type Dirent, lstatSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { readGitIndex } from './git-index.js';

const MAX_INDEX_BYTES = 256n * 1024n * 1024n;
const MAX_CONFIG_BYTES = 1024n * 1024n;

export interface TrackedFiles {
  /** The directory whose files it tracks, relative to the root. */
  worktree: string;
  /** Relative to that. A directory, with a slash at its end: a sparse index does not say what is in it. */
  paths: string[];
  /** How git names what it keeps, before `:path`. */
  head: string;
}

/**
 * What the git repository tracks in which the process is, or the linked worktree's part of one; `undefined`: it is none.
 * @param directory where it is, relative to the root, which has the real path `root`
 * @throws for an index that cannot be read
 */
export function readTrackedFiles(
  entries: readonly Dirent[],
  { root, directory }: { root: string; directory: string },
): TrackedFiles | undefined {
  const has = (name: string, isDirectory: boolean) =>
    entries.some((entry) => entry.name === name && entry.isDirectory() === isDirectory);
  const isRepository = has('objects', true) && has('refs', true);
  const isLinked = has('commondir', false) && has('gitdir', false);
  if (!has('HEAD', false) || !(isRepository || isLinked)) return undefined;
  const config = readSmall(isLinked ? '../../config' : 'config');
  const idBytes = /^\s*objectformat\s*=\s*"?sha256/im.test(config) ? 32 : 20;
  // A split index keeps most of its entries in another file.
  const files = entries.map(({ name }) => name).filter((name) => name === 'index' || name.startsWith('sharedindex.'));
  const paths = files.flatMap((file) => readGitIndex(read(file, MAX_INDEX_BYTES), idBytes));
  return {
    paths: [...new Set(paths)].filter((path) => path !== ''),
    worktree: isLinked ? linkedWorktree(root) : worktreeOf(directory, config),
    head: isLinked ? `worktrees/${directory.slice(directory.lastIndexOf('/') + 1)}/HEAD` : 'HEAD',
  };
}

/** Outside of the root, or where nobody can tell, what it keeps is taken for the root's. */
function linkedWorktree(root: string): string {
  const path = readSmall('gitdir')
    .trim()
    .replace(/\/?\.git$/, '');
  for (const top of [root, '/workspace']) if (path.startsWith(`${top}/`)) return path.slice(top.length + 1);
  return '';
}

/** `a/.git` keeps what is in `a`, `a/.git/modules/b` what is in `a/b`, where its configuration does not say otherwise. */
function worktreeOf(directory: string, config: string): string {
  const said = /^\s*worktree\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(config)?.[1];
  const path = said === undefined || said.startsWith('/') ? '..' : normalize(join(directory, said));
  if (path !== '..' && !path.startsWith('../')) return path === '.' ? '' : path.replace(/\/$/, '');
  return directory
    .replace(/(^|\/)\.git\/modules\//g, '$1')
    .replace(/(^|\/)\.git$/, '')
    .replace(/\/modules\//g, '/');
}

/** Empty where it is not there, or no such file as git makes. */
function readSmall(name: string): string {
  try {
    return read(name, MAX_CONFIG_BYTES).toString('utf8');
  } catch {
    return '';
  }
}

function read(name: string, limit: bigint): Buffer {
  const stat = lstatSync(name, { bigint: true });
  if (!stat.isFile() || stat.size > limit) throw new RangeError('It is no file, or a very large one');
  return readFileSync(name);
}
