import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import type { PathRules } from '../../files/rules/path-rules.js';
import type { PathRule } from '../../protocol/plan.js';
import { followLinks } from './follow-links.js';
import { ruleBelow } from './rule-below.js';

/** Something that is denied to be read by a name that links lead through. */
export interface LinkedRead {
  /** Where it lies, relative to the root. */
  path: string;
  /** As people wrote it. */
  rule: string;
  /** A link is above it, so that the name itself cannot be covered. */
  isAbove: boolean;
}

const MAX_THROUGH = 20_000;

/** What rules keep from being read by its name below a link, and not by the name of where it lies. */
export function findReadThrough(root: string, link: string, rules: PathRules): LinkedRead[] {
  const found = new Map<string, LinkedRead>();
  const add = (path: string, { rule }: PathRule) => found.set(path, { path, rule, isAbove: true });
  const visited = new Set<string>();
  const pending = [link];
  let left = MAX_THROUGH;
  for (const name of pending) {
    const at = followLinks(root, name);
    const reaching = rules.findReaching('denyRead', name);
    // A circle shows nothing new.
    if (at === undefined || reaching === undefined || visited.has(at)) continue;
    visited.add(at);
    if (left <= 0 && at !== '') {
      // What nobody has looked at is closed as a whole.
      add(at, reaching);
      continue;
    }
    for (const entry of entriesOf(`${root}/${at}`)) {
      left -= 1;
      const inner = `${name}/${entry.name}`;
      const target = entry.isSymbolicLink() ? followLinks(root, inner) : below(at, entry.name);
      const type = target === undefined || target === '' ? undefined : typeOf(entry, `${root}/${target}`);
      if (target === undefined || type === undefined) continue;
      const rule = denies(rules, inner, type);
      if (rule === undefined) {
        if (type === 'directory' && rules.mayNameBelow('denyRead', inner)) pending.push(inner);
      } else if (denies(rules, target, type) === undefined) add(target, rule);
    }
  }
  return [...found.values()];
}

/** The rules that close all this by the names of where it lies. */
export function rulesForLinked(linked: readonly LinkedRead[]): PathRule[] {
  return linked.flatMap(({ path, rule }) => {
    const glob = path.replace(/[\\*?[\]{}()!+@|^$]/g, '\\$&');
    return [
      { glob, rule },
      { glob: `${glob}/**`, rule },
    ];
  });
}

function denies(rules: PathRules, path: string, type: 'file' | 'directory'): PathRule | undefined {
  return rules.find('denyRead', path) ?? (type === 'directory' ? ruleBelow(rules, 'denyRead', path) : undefined);
}

function typeOf(entry: Dirent, real: string): 'file' | 'directory' | undefined {
  const found = entry.isSymbolicLink() ? lstatSync(real, { throwIfNoEntry: false }) : entry;
  if (found?.isFile() === true) return 'file';
  return found?.isDirectory() === true ? 'directory' : undefined;
}

function below(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`;
}

function entriesOf(directory: string): Dirent[] {
  try {
    return lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() === true
      ? readdirSync(directory, { withFileTypes: true })
      : [];
  } catch {
    // Gone since, or closed.
    return [];
  }
}
