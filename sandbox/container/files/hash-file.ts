import { createHash } from 'node:crypto';
import type { FileLayer } from '../../files/file-layer.js';
import { type HashedFile, PART_BYTES } from '../../protocol/tree-operations.js';
import { treePath } from './tree-path.js';

/** The content is never held whole. `null` for a file that cannot be read, or changes all the while. */
export function hashFile(files: FileLayer, path: string): HashedFile | null {
  const digest = createHash('sha256');
  let first: string | undefined;
  try {
    for (let offset = 0; ; ) {
      const { bytes, size, version } = files.readPart(treePath(path), offset, PART_BYTES);
      first ??= version;
      if (version !== first) return null;
      digest.update(bytes);
      offset += bytes.length;
      if (bytes.length === 0 || offset >= size) return { hash: digest.digest('hex'), version };
    }
  } catch {
    return null;
  }
}
