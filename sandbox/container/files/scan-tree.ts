import type { FileLayer } from '../../files/file-layer.js';
import { PathRules } from '../../files/rules/path-rules.js';
import type { DirectoryEntry } from '../../protocol/files.js';
import type { EnforcementPlan, PathRule } from '../../protocol/plan.js';
import type { NamedBody, NamedEntry, ScanBody, ScannedEntry } from '../../protocol/tree-operations.js';
import { hashFile } from './hash-file.js';
import { treePath } from './tree-path.js';

/** Everything in the workspace but what the plan denies to read. */
export function scanTree(files: FileLayer, plan: EnforcementPlan, hash: boolean): ScanBody {
  const rules = new PathRules();
  rules.add(plan);
  const found: ScanBody = { entries: [], special: [], closed: [], denied: [], unnamed: [] };
  const walk = (directory: string): void => {
    const below = (name: string) => (directory === '' ? name : `${directory}/${name}`);
    const onUnnamed = (name: string, version: string) => found.unnamed.push({ path: below(name), version });
    for (const { name, type, size, target } of listOrClosed(files, directory, { closed: found.closed, onUnnamed })) {
      const path = below(name);
      if (rules.find('denyRead', path) !== undefined) {
        found.denied.push(path);
        continue;
      }
      if (type === 'other') {
        found.special.push(path);
        continue;
      }
      const stats = lstatIfThere(files, path);
      // A command took it away meanwhile.
      if (stats === undefined) continue;
      const { mode, mtimeMs, version } = stats;
      const entry: ScannedEntry = {
        path,
        type,
        mode: mode & 0o777,
        size: type === 'file' ? size : 0,
        mtimeMs,
        version,
      };
      if (target !== undefined) entry.target = target;
      const digest = hash && type === 'file' ? hashFile(files, path) : null;
      if (digest?.version === version) entry.hash = digest.hash;
      found.entries.push(entry);
      if (type === 'directory') walk(path);
    }
  };
  walk('');
  return found;
}

/** Directories that a rule of the form `name/**` protects are named themselves: then nothing can be made in them either. */
export function findNamed(files: FileLayer, plan: EnforcementPlan, links = false): NamedBody {
  const rules = new PathRules();
  rules.add(plan);
  const whole = new PathRules();
  whole.add({ denyRead: plan.denyRead.flatMap(directoryRule), denyWrite: plan.denyWrite.flatMap(directoryRule) });
  const entries: NamedEntry[] = [];
  const closed: string[] = [];
  const walk = (directory: string): void => {
    for (const { name, type: found } of listOrClosed(files, directory, { closed })) {
      const type = links && found === 'symlink' ? 'file' : found;
      if (type !== 'file' && type !== 'directory') continue;
      const path = directory === '' ? name : `${directory}/${name}`;
      const named = (['denyRead', 'denyWrite'] as const).flatMap((kind) => {
        const below = type === 'directory' ? whole.find(kind, path) : undefined;
        // A directory that a rule names alone, as `.git`, stays open: what is in it may be written.
        const isAlone = type === 'directory' && kind === 'denyWrite';
        // Mounted over itself, a link would bring in what it leads to, from anywhere on the host.
        if (found === 'symlink' && kind === 'denyWrite') return [];
        const isInstalled = kind === 'denyWrite' && /(^|\/)node_modules\/./.test(path);
        const rule = isInstalled ? undefined : (below ?? (isAlone ? undefined : rules.find(kind, path)));
        return rule === undefined ? [] : [{ path, type, kind, rule: rule.rule } as const];
      });
      const [first] = named;
      if (first !== undefined) entries.push(first);
      // What lies in a directory that is closed as a whole needs no mask of its own; in a read-only one something may have to be hidden.
      if (type === 'directory' && first?.kind !== 'denyRead') walk(path);
    }
  };
  walk('');
  // Whoever owns such a directory opens it inside, and finds what the rules could not be asked about.
  for (const path of closed) {
    if (!rules.mayNameBelow('denyRead', path)) continue;
    entries.push({ path, type: 'directory', kind: 'denyRead', rule: 'a directory that the host cannot look into' });
  }
  return { entries };
}

/** `name/**` closes the directory itself as well. */
export function directoryRule(rule: PathRule): PathRule[] {
  return rule.glob.endsWith('/**') && rule.glob.length > 3 ? [{ ...rule, glob: rule.glob.slice(0, -3) }] : [];
}

/** What this user may not list, nobody who runs as it can read either. */
function lstatIfThere(files: FileLayer, path: string): ReturnType<FileLayer['lstat']> | undefined {
  try {
    return files.lstat(treePath(path));
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'not_found' || code === 'not_a_directory') return undefined;
    throw error;
  }
}

function listOrClosed(
  files: FileLayer,
  directory: string,
  { closed, onUnnamed }: { closed?: string[]; onUnnamed?(name: string, version: string): void } = {},
): DirectoryEntry[] {
  for (let attempt = 1; ; attempt += 1) {
    const unnamed: [string, string][] = [];
    try {
      const entries = files.list(
        treePath(directory),
        onUnnamed === undefined ? {} : { onUnnamed: (...one) => unnamed.push(one) },
      );
      for (const one of unnamed) onUnnamed?.(...one);
      return entries;
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (directory !== '' && code === 'access_denied') {
        closed?.push(directory);
        return [];
      }
      if (code !== 'not_found' && code !== 'not_a_directory') throw error;
      // It is gone, or only something in it went while it was listed.
      if (directory !== '' && lstatIfThere(files, directory)?.type !== 'directory') return [];
      if (attempt === MAX_LISTINGS) throw error;
    }
  }
}

/** Of a directory that commands change all the time. */
const MAX_LISTINGS = 1_000;
