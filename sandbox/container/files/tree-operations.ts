import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { FileLayer } from '../../files/file-layer.js';
import { PathRules } from '../../files/path-rules.js';
import type { OperationReply } from '../../files/perform-operation.js';
import type { EnforcementPlan, PathRule } from '../../protocol/plan.js';
import type {
  NamedBody,
  NamedEntry,
  ScanBody,
  ScannedEntry,
  TreeEntry,
  TreeOperation,
} from '../../protocol/tree-operations.js';

export interface TreeReply {
  value: unknown;
  body?: Uint8Array;
}

/** A whole file travels in one frame. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const ROOT = '/workspace';

/** @throws FileError */
export function performTreeOperation(
  operation: TreeOperation,
  body: Uint8Array,
  files: FileLayer,
): TreeReply | OperationReply {
  switch (operation.op) {
    case 'scan':
      return { value: true, body: json(scan(files, operation.plan, operation.hash)) };
    case 'named':
      return { value: true, body: json(findNamed(files, operation.plan)) };
    case 'pack':
      return pack(files, operation.paths);
    case 'unpack':
      unpack(files, operation.entries, body);
      return { value: true };
    case 'stand-in':
      for (const path of operation.paths) spawnSync('mkfifo', ['--', at(path)], { stdio: 'ignore' });
      return { value: true };
    case 'drop':
      for (const path of operation.paths.toSorted().reverse()) files.remove(`${ROOT}/${path}`, { recursive: true });
      return { value: true };
  }
}

function scan(files: FileLayer, plan: EnforcementPlan, hash: boolean): ScanBody {
  const rules = new PathRules();
  rules.add(plan);
  const found: ScanBody = { entries: [], special: [], large: [] };
  const walk = (directory: string): void => {
    for (const { name, type, size, target } of files.list(at(directory))) {
      const path = directory === '' ? name : `${directory}/${name}`;
      if (rules.find('denyRead', path) !== undefined) continue;
      if (type === 'other' || (type === 'file' && size > MAX_FILE_BYTES)) {
        (type === 'other' ? found.special : found.large).push(path);
        continue;
      }
      const { mode, mtimeMs, version } = files.lstat(at(path));
      const entry: ScannedEntry = {
        path,
        type,
        mode: mode & 0o777,
        size: type === 'file' ? size : 0,
        mtimeMs,
        version,
      };
      if (target !== undefined) entry.target = target;
      if (hash && type === 'file') entry.hash = digest(files.readFile(at(path), MAX_FILE_BYTES));
      found.entries.push(entry);
      if (type === 'directory') walk(path);
    }
  };
  walk('');
  return found;
}

/** Directories that a rule of the form `name/**` protects are named themselves: then nothing can be made in them either. */
function findNamed(files: FileLayer, plan: EnforcementPlan): NamedBody {
  const rules = new PathRules();
  rules.add(plan);
  const whole = new PathRules();
  whole.add({ denyRead: plan.denyRead.flatMap(directoryRule), denyWrite: plan.denyWrite.flatMap(directoryRule) });
  const entries: NamedEntry[] = [];
  const seen = new Set<string>();
  const walk = (directory: string): void => {
    for (const { name, type } of files.list(at(directory))) {
      if (type !== 'file' && type !== 'directory') continue;
      const path = directory === '' ? name : `${directory}/${name}`;
      const named = (['denyRead', 'denyWrite'] as const).flatMap((kind) => {
        const rule = rules.find(kind, path) ?? (type === 'directory' ? whole.find(kind, path) : undefined);
        return rule === undefined ? [] : [{ path, type, kind, rule: rule.rule } as const];
      });
      for (const { rule } of named) seen.add(rule);
      const [first] = named;
      if (first !== undefined) entries.push(first);
      // What lies in a directory that is closed as a whole needs no mask of its own; in a read-only one something may have to be hidden.
      if (type === 'directory' && first?.kind !== 'denyRead') walk(path);
    }
  };
  walk('');
  const all = [...plan.denyRead, ...plan.denyWrite].map(({ rule }) => rule);
  return { entries, unmatched: [...new Set(all)].filter((rule) => !seen.has(rule)) };
}

function directoryRule(rule: PathRule): PathRule[] {
  return rule.glob.endsWith('/**') && rule.glob.length > 3 ? [{ ...rule, glob: rule.glob.slice(0, -3) }] : [];
}

function pack(files: FileLayer, paths: readonly string[]): TreeReply {
  const contents = paths.map((path) => {
    try {
      return files.readFile(at(path), MAX_FILE_BYTES);
    } catch {
      return undefined;
    }
  });
  return {
    value: contents.map((bytes) => bytes?.length ?? -1),
    body: Buffer.concat(contents.filter((bytes) => bytes !== undefined)),
  };
}

function unpack(files: FileLayer, entries: readonly TreeEntry[], body: Uint8Array): void {
  let offset = 0;
  for (const { path, type, mode, size, mtimeMs, target } of entries) {
    const where = at(path);
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

function at(path: string): string {
  return path === '' ? ROOT : `${ROOT}/${path}`;
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function json(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value), 'utf8');
}
