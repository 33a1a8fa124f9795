import type { FileLayer } from '../../files/file-layer.js';
import { FileError } from '../../files/file-layer.js';
import { incomingPath } from '../../protocol/incoming-path.js';
import { PART_BYTES, type TreeEntry } from '../../protocol/tree-operations.js';
import { treePath } from './tree-path.js';

export interface TreeReply {
  value: unknown;
  body?: Uint8Array;
}

export function pack(files: FileLayer, paths: readonly string[]): TreeReply {
  const contents = paths.map((path) => {
    try {
      return files.readFile(treePath(path), PART_BYTES);
    } catch {
      return undefined;
    }
  });
  return {
    value: contents.map((bytes) => bytes?.length ?? -1),
    body: Buffer.concat(contents.filter((bytes) => bytes !== undefined)),
  };
}

export function readPart(files: FileLayer, path: string, offset: number): TreeReply {
  const { bytes, version } = files.readPart(treePath(path), offset, PART_BYTES);
  return { value: version, body: bytes };
}

export function unpack(files: FileLayer, entries: readonly TreeEntry[], body: Uint8Array): void {
  let offset = 0;
  for (const { path, type, mode, size, mtimeMs, target } of entries) {
    const where = treePath(path);
    if (type === 'directory') {
      makeDirectory(files, where, mode);
    } else if (type === 'symlink') {
      files.remove(where, { recursive: true });
      files.symlink(target ?? '', where);
    } else {
      removeUnlessFile(files, where);
      files.writeFile(where, body.subarray(offset, offset + size), { mode, parents: true });
      files.utimes(where, mtimeMs, mtimeMs);
      offset += size;
    }
  }
}

/** Asked again after the helper died in it, it takes up what is there: a part is appended once or refused. */
export function writePart(
  files: FileLayer,
  { entry, transfer, offset, last }: { entry: TreeEntry; transfer: string; offset: number; last: boolean },
  body: Uint8Array,
): void {
  const incoming = treePath(incomingPath(entry.path, transfer));
  if (offset === 0) files.writeFile(incoming, body, { mode: 0o600, parents: true });
  else {
    const { size } = files.lstat(incoming);
    if (size === offset) files.writeFile(incoming, body, { append: true });
    else if (size !== offset + body.length)
      throw new FileError('sandbox_crashed', incoming, 'A part of a file was lost on its way');
  }
  if (!last) return;
  const where = treePath(entry.path);
  removeUnlessFile(files, where);
  files.chmod(incoming, entry.mode);
  files.utimes(incoming, entry.mtimeMs, entry.mtimeMs);
  files.rename(incoming, where);
}

function makeDirectory(files: FileLayer, where: string, mode: number): void {
  if (typeAt(files, where) !== 'directory') {
    files.remove(where);
    files.mkdir(where, { recursive: true });
  }
  files.chmod(where, mode);
}

function removeUnlessFile(files: FileLayer, where: string): void {
  const type = typeAt(files, where);
  if (type !== undefined && type !== 'file') files.remove(where, { recursive: true });
}

function typeAt(files: FileLayer, where: string): string | undefined {
  try {
    return files.lstat(where).type;
  } catch {
    return undefined;
  }
}
