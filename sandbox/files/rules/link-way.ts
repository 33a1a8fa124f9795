import { closeSync } from 'node:fs';
import { readToEnd } from '../file-bytes.js';
import { errnoOf, Moved, Refusal } from '../refusal.js';
import { spotOf, type Tree } from '../tree.js';

/** How a link resolves, in paths relative to the workspace. */
export interface LinkWay {
  /** Absent where it leads out of the workspace, or in a circle. Need not be there. */
  target?: string;
  /** Every name on the way, there or not: a link made at one of them would change where the way ends. */
  steps: string[];
  /** Those that are links. */
  links: string[];
}

const MAX_LINKS = 40;
const MAX_GIT_FILE_BYTES = 4096;

/** Follows a text from the directory of `link`, as if it were that link's own. */
export function followText(tree: Tree, link: string, text: string): LinkWay {
  const way: LinkWay = { steps: [], links: [] };
  const pending: string[] = [];
  let at = ['workspace', ...split(spotOf(link).dir)];
  at = begin(tree, { text, at, pending });
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (part === '..') {
      at.pop();
      continue;
    }
    at.push(part);
    if (at[0] !== 'workspace') return way;
    if (at.length === 1) continue;
    const path = at.slice(1).join('/');
    way.steps.push(path);
    const next = linkText(tree, path);
    if (next === undefined) continue;
    way.links.push(path);
    if (way.links.length > MAX_LINKS) return way;
    at.pop();
    at = begin(tree, { text: next, at, pending });
  }
  if (at[0] === 'workspace') way.target = at.slice(1).join('/');
  return way;
}

/** What the link at the path says, or a `.git` file: it names a directory as a link does. `undefined`: neither is there. */
export function linkText(tree: Tree, path: string): string | undefined {
  const at = spotOf(path);
  try {
    const stat = tree.lstat(at);
    if (stat?.isSymbolicLink() === true) return tree.readlink(at);
    return stat?.isFile() === true && isGitFile(at.name) ? gitDirectory(tree, path) : undefined;
  } catch (error) {
    // Gone since, or closed to this process.
    if (error instanceof Moved || error instanceof Refusal || errnoOf(error) !== '') return undefined;
    throw error;
  }
}

export function isGitFile(name: string): boolean {
  return name.toLowerCase() === '.git';
}

function gitDirectory(tree: Tree, path: string): string | undefined {
  const { fd, stat } = tree.open(spotOf(path));
  try {
    if (stat.size > MAX_GIT_FILE_BYTES) return undefined;
    const text = Buffer.from(readToEnd(fd, Number(stat.size), MAX_GIT_FILE_BYTES)).toString();
    return /^gitdir: *([^\n\r\0]+)/.exec(text)?.[1];
  } finally {
    closeSync(fd);
  }
}

/** Puts the parts of a link's text before what is still to be walked. @returns where they start from */
function begin(tree: Tree, { text, at, pending }: { text: string; at: string[]; pending: string[] }): string[] {
  const inside = text.startsWith('/') ? tree.fromHostPath(text) : undefined;
  pending.push(...split(inside ?? text).toReversed());
  if (inside !== undefined) return ['workspace'];
  return text.startsWith('/') ? [] : at;
}

function split(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}
