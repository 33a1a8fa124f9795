import { spawnSync } from 'node:child_process';
import type { FileLayer } from '../../files/file-layer.js';
import type { OperationReply } from '../../files/perform-operation.js';
import type { TreeOperation } from '../../protocol/tree-operations.js';
import { findDenied } from './find-denied.js';
import { hashFile } from './hash-file.js';
import { findNamed, scanTree } from './scan-tree.js';
import { pack, readPart, type TreeReply, unpack, writePart } from './transfer.js';
import { treePath } from './tree-path.js';

/** @throws FileError */
export function performTreeOperation(
  operation: TreeOperation,
  body: Uint8Array,
  files: FileLayer,
  makeFifo: (path: string) => void = makeFifoHere,
): TreeReply | OperationReply {
  switch (operation.op) {
    case 'scan':
      return { value: true, body: json(scanTree(files, operation.plan, operation.hash)) };
    case 'named':
      return { value: true, body: json(findNamed(files, operation.plan, operation.links)) };
    case 'denied':
      return { value: findDenied(operation.plan, operation.paths, linksOf(body)) };
    case 'hash':
      return { value: operation.paths.map((path) => hashFile(files, path)) };
    case 'pack':
      return pack(files, operation.paths);
    case 'read-part':
      return readPart(files, operation.path, operation.offset);
    case 'unpack':
      unpack(files, operation.entries, body);
      return { value: true };
    case 'write-part':
      writePart(files, operation, body);
      return { value: true };
    case 'stand-in':
      for (const path of operation.paths) makeFifo(path);
      return { value: true };
    case 'drop':
      for (const path of operation.paths.toSorted().reverse()) files.remove(treePath(path), { recursive: true });
      return { value: true };
  }
}

function makeFifoHere(path: string): void {
  spawnSync('mkfifo', ['--', treePath(path)], { stdio: 'ignore' });
}

function linksOf(body: Uint8Array): Record<string, string> {
  return body.length === 0 ? {} : (JSON.parse(Buffer.from(body).toString('utf8')) as Record<string, string>);
}

function json(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value), 'utf8');
}
