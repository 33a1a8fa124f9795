import { posix } from 'node:path';
import { isKnown } from '../text/marks.js';
import { callPath, hostPath } from './call-path.js';

/** Symbolic links that are known of: absolute name in the sandbox to absolute target. */
export type Links = ReadonlyMap<string, string>;

/** More than this in one path is a loop. */
const MAX_LINKS = 40;

/**
 * Links by name and target as they are written, relative names from the workspace; `hostRoot`: on the host, where a
 * target that leaves the workspace leads to what is around it there.
 */
export function readLinks(links: Readonly<Record<string, string>>, hostRoot?: string): Links {
  return new Map(
    Object.entries(links).map(([name, target]) => {
      const path = callPath(name, hostRoot);
      const here = posix.dirname(hostRoot === undefined ? path : hostPath(path, hostRoot));
      return [path, callPath(posix.resolve(here, target), hostRoot)];
    }),
  );
}

/** Where a path leads after the links that are known of; itself when there are none on the way. */
export function realPath(path: string, links: Links): string {
  if (links.size === 0 || !isKnown(path)) return path;
  let current = path;
  for (let round = 0; round < MAX_LINKS; round += 1) {
    const next = followOne(current, links);
    if (next === undefined) return current;
    current = next;
  }
  return current;
}

function followOne(path: string, links: Links): string | undefined {
  for (let end = path.indexOf('/', 1); ; end = path.indexOf('/', end + 1)) {
    const head = end === -1 ? path : path.slice(0, end);
    const target = links.get(head);
    if (target !== undefined) return posix.normalize(target + path.slice(head.length));
    if (end === -1) return undefined;
  }
}

export const NO_LINKS: Links = new Map();
