import { lstatSync, readlinkSync, type Stats } from 'node:fs';

/** As many as the kernel follows. */
const MAX_LINKS = 40;
const MOUNT = 'workspace';

/**
 * Where a path leads, as seen inside: there the root is `/workspace`, also for a link on the way that says so. What is
 * at its end need not be there. Relative to the root; `undefined`: outside, a circle, or through what is not there.
 */
export function followLinks(root: string, path: string): string | undefined {
  const pending = split(path).reverse();
  let at = [MOUNT];
  let links = 0;
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (part === '..') {
      at.pop();
      continue;
    }
    at.push(part);
    if (at[0] !== MOUNT) return undefined;
    if (at.length === 1) continue;
    const real = [root, ...at.slice(1)].join('/');
    const stat = look(real);
    if (stat === undefined && pending.length > 0) return undefined;
    if (stat?.isSymbolicLink() !== true) continue;
    links += 1;
    if (links > MAX_LINKS) return undefined;
    const target = readlinkSync(real);
    at.pop();
    if (target.startsWith('/')) at = [];
    pending.push(...split(ofHost(root, target)).reverse());
  }
  return at[0] === MOUNT ? at.slice(1).join('/') : undefined;
}

/** The host's name of the root means the root. */
function ofHost(root: string, target: string): string {
  return target === root || target.startsWith(`${root}/`) ? `/${MOUNT}${target.slice(root.length)}` : target;
}

function split(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // A directory on the way is closed.
    return undefined;
  }
}
