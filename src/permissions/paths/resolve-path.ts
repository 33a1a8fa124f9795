import { HOLE, isKnown, NAME, SPREAD } from '../text/marks.js';

/** Names that lead to where a process is, or to its root. */
const ELSEWHERE = /^\/proc\/[^/]+(?:\/task\/[^/]+)?\/(?:cwd|root)(?=\/|$)/;

/**
 * Where a path leads by its text alone, from a directory: absolute, without `.` and `..`. A stretch that is not known
 * may hold slashes and `..`: where it does, what stood before it is not known any more.
 */
export function resolvePath(from: string, path: string): string {
  const first = path.charAt(0);
  if (first === HOLE || first === SPREAD) return normalize(path);
  const resolved = normalize(first === '/' ? path : `${from}/${path}`);
  return resolved.startsWith('/proc/') ? resolved.replace(ELSEWHERE, HOLE) : resolved;
}

function normalize(path: string): string {
  if (isPlain(path)) return path;
  const absolute = path.startsWith('/');
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (mayBeDots(segment)) return HOLE;
    if (segment !== '..') kept.push(segment);
    else if (isOpen(kept.at(-1) ?? '')) return HOLE;
    else if (kept.length === 0 && !absolute) return HOLE;
    else kept.pop();
  }
  return absolute ? `/${kept.join('/')}` : kept.join('/');
}

/** With nothing in the place of the mark. */
function mayBeDots(segment: string): boolean {
  return segment.includes(NAME) && /^\.{1,2}$/.test(segment.replaceAll(NAME, ''));
}

/** A stretch of any length may be several segments. */
function isOpen(segment: string): boolean {
  return !isKnown(segment) && (segment.includes(HOLE) || segment.includes(SPREAD));
}

function isPlain(path: string): boolean {
  return (
    path.startsWith('/') && !path.includes(NAME) && !path.includes('/.') && !path.includes('//') && !path.endsWith('/')
  );
}
