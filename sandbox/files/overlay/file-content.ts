import { closeSync } from 'node:fs';
import { readToEnd } from '../file-bytes.js';
import { typeOf } from '../file-stat.js';
import type { Spot, Tree } from '../tree.js';

/** The content of an open file's spot, whole; for comparing layers. */
export function contentOf(tree: Tree, at: Spot, maxBytes: number): Uint8Array | undefined {
  const stat = tree.lstat(at);
  if (stat === undefined || typeOf(stat) !== 'file' || Number(stat.size) > maxBytes) return undefined;
  const source = tree.open(at);
  try {
    return readToEnd(source.fd, Number(source.stat.size), maxBytes);
  } finally {
    closeSync(source.fd);
  }
}
