/** Joins and normalises by the text alone, as the shell's `cd` does: `..` never leaves `/`. */
export function resolveGuestPath(base: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${base}/${path}`).split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return `/${parts.join('/')}`;
}

const ROOTS = ['/workspace', '/tmp', '/home/agent'];

/** The root whose files are real: in the worker's hands, kept across commands. */
export function realRootOf(path: string): string | undefined {
  return ROOTS.find((root) => path === root || path.startsWith(`${root}/`));
}
