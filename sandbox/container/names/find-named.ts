import { type BigIntStats, type Dirent, lstatSync, readdirSync } from 'node:fs';
import { unnamedEntries } from '../../files/direct/unnamed-entries.js';
import type { PathRules } from '../../files/rules/path-rules.js';
import type { NamedPath } from '../../protocol/name-guard.js';
import { findReadThrough, type LinkedRead } from './find-read-through.js';
import { followLinks } from './follow-links.js';
import { ANYTHING, ruleBelow } from './rule-below.js';

const KINDS = ['denyRead', 'denyWrite'] as const;
const INSTALLED = /(^|\/)node_modules\/./;

export interface Seen extends NamedPath {
  /** Tells one thing from another that takes its name: a file's number is given again, but not with the same birth. */
  identity: string;
  /** Of its last change, in nanoseconds. */
  changed: string;
}

export interface Listing {
  named: Seen[];
  directories: string[];
  /** A rule names a link here, or something below it: what it leads to lies elsewhere. */
  hasLinks: boolean;
  /** Links above what must not be written, whatever they lead to. */
  leading: Seen[];
  /** What must not be read by a name that is a link, or leads through one, and may be by the name of where it lies. */
  linked: LinkedRead[];
  /** What must not be read, or may hold such, and has a name that is not valid UTF-8: no mount can cover it. */
  unnamed: string[];
}

/** What rules name in the directory where the process is, which is `directory` of `root`. Links are named by where they lead. */
export function findNamed(root: string, directory: string, rules: PathRules): Listing {
  const below = (name: string) => (directory === '' ? name : `${directory}/${name}`);
  const entries = readdirSync('.', { withFileTypes: true });
  const unnamed = findUnnamed(entries, rules, below);
  const listing: Listing = { named: [], directories: [], hasLinks: false, leading: [], linked: [], unnamed };
  for (const entry of entries) {
    const path = below(entry.name);
    if (entry.isSymbolicLink()) {
      addLink(listing, path, { root, rules });
      continue;
    }
    const isDirectory = entry.isDirectory();
    if (!isDirectory && !entry.isFile()) continue;
    const named = nameOf(rules, path, isDirectory ? 'directory' : 'file');
    const seen = named === undefined ? undefined : see(named, lstatSync(entry.name, LOOK));
    if (seen !== undefined) listing.named.push(seen);
    // What lies in a directory that is closed as a whole needs no cover of its own; in a read-only one something may.
    if (isDirectory && named?.kind !== 'denyRead') listing.directories.push(path);
  }
  return listing;
}

function addLink(listing: Listing, path: string, { root, rules }: { root: string; rules: PathRules }): void {
  const isNamed = nameOf(rules, path, 'directory') !== undefined;
  const leads = !INSTALLED.test(path) && rules.mayReachThrough('denyWrite', path);
  const leadsToRead = mayLeadToRead(path, rules);
  if (!isNamed && !leads && !leadsToRead) return;
  listing.hasLinks = true;
  const named = isNamed ? namedByLink(root, path, rules) : undefined;
  if (named !== undefined) listing.named.push(named);
  if (named?.kind === 'denyRead' && nameOf(rules, named.path, named.type)?.kind !== 'denyRead')
    listing.linked.push({ path: named.path, rule: named.rule, isAbove: false });
  if (leadsToRead && named?.kind !== 'denyRead') addReadThrough(listing, path, { root, rules });
  if (!leads) return;
  const rule = rules.findThrough(path);
  const link = { path, type: 'file', kind: 'denyWrite', reach: 'entry', rule: rule?.rule ?? '' } as const;
  const seen = rule === undefined ? undefined : see(link, lstatSync(`${root}/${path}`, LOOK));
  if (seen !== undefined) listing.leading.push(seen);
  listing.named.push(...namedThrough(root, path, rules));
}

/** Package managers make thousands of links: of those only what a rule names by their own name is looked at. */
function mayLeadToRead(path: string, rules: PathRules): boolean {
  return INSTALLED.test(path) ? rules.leadThrough('denyRead', path) : rules.mayReachThrough('denyRead', path);
}

function addReadThrough(listing: Listing, link: string, { root, rules }: { root: string; rules: PathRules }): void {
  for (const linked of findReadThrough(root, link, rules)) {
    const stat = lstatSync(`${root}/${linked.path}`, LOOK);
    const type = stat?.isDirectory() === true ? 'directory' : 'file';
    const { path, rule } = linked;
    const seen = see({ path, type, kind: 'denyRead', reach: 'whole', rule }, stat);
    if (seen !== undefined) listing.named.push(seen);
    listing.linked.push(linked);
  }
}

function findUnnamed(entries: readonly Dirent[], rules: PathRules, below: (name: string) => string): string[] {
  if (!rules.has('denyRead')) return [];
  return unnamedEntries(entries).flatMap((bytes) => {
    const path = below(bytes.toString());
    const isDirectory = lstatSync(bytes, LOOK)?.isDirectory() === true;
    const isNamed = rules.find('denyRead', path) !== undefined || (isDirectory && rules.mayNameBelow('denyRead', path));
    return isNamed ? [path] : [];
  });
}

/** Whether a rule closes every name at the top, so that nothing may be made there. */
export function closesRoot(rules: PathRules): boolean {
  return rules.find('denyWrite', ANYTHING) !== undefined && rules.find('denyWrite', `${ANYTHING}/a`) !== undefined;
}

/** A directory that cannot be looked into: whoever may, inside, would find what the rules cannot be asked about. */
export function closedDirectory(path: string, rules: PathRules): Seen | undefined {
  if (path === '' || !rules.has('denyRead')) return undefined;
  return {
    path,
    type: 'directory',
    kind: 'denyRead',
    reach: 'whole',
    rule: 'a directory that the host cannot look into',
    identity: '',
    changed: '',
  };
}

const LOOK = { bigint: true, throwIfNoEntry: false } as const;

/** Empty where nothing is. */
export function identityAt(path: string): string {
  const stat = lstatSync(path, LOOK);
  return stat === undefined ? '' : identityOf(stat);
}

function identityOf({ dev, ino, birthtimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${birthtimeNs}`;
}

function see(named: NamedPath, stat: BigIntStats | undefined): Seen | undefined {
  return stat === undefined ? undefined : { ...named, identity: identityOf(stat), changed: String(stat.ctimeNs) };
}

function nameOf(rules: PathRules, path: string, type: NamedPath['type']): NamedPath | undefined {
  for (const kind of KINDS) {
    // Installed packages bring such files, and whoever mounts over one keeps them from being installed again.
    if (kind === 'denyWrite' && INSTALLED.test(path)) continue;
    const below = type === 'directory' ? ruleBelow(rules, kind, path) : undefined;
    const rule = rules.find(kind, path) ?? below;
    if (rule === undefined) continue;
    const reach = type === 'file' || kind === 'denyRead' || below !== undefined ? 'whole' : 'entry';
    return { path, type, kind, reach, rule: rule.rule };
  }
  return undefined;
}

/** A mount cannot cover a link, and need not: what it leads to is covered, where that lies in the workspace. */
function namedByLink(root: string, path: string, rules: PathRules): Seen | undefined {
  const target = followLinks(root, path);
  if (target === undefined || target === '') return undefined;
  const stat = lstatSync(`${root}/${target}`, LOOK);
  const type = stat?.isFile() === true ? 'file' : 'directory';
  const named = stat?.isFile() === true || stat?.isDirectory() === true ? nameOf(rules, path, type) : undefined;
  return named === undefined ? undefined : see({ ...named, path: target, reach: 'whole' }, stat);
}

const MAX_THROUGH = 2_000;

/** What rules keep from being written by its name below a link, named by where it lies. */
function namedThrough(root: string, link: string, rules: PathRules): Seen[] {
  const top = followLinks(root, link);
  const found: Seen[] = [];
  const pending = top === undefined || top === '' ? [] : [''];
  let left = MAX_THROUGH;
  for (const dir of pending) {
    for (const entry of entriesOf(`${root}/${top}${dir}`)) {
      left -= 1;
      if (left < 0) return found;
      const rest = `${dir}/${entry.name}`;
      const isDirectory = entry.isDirectory();
      if (!isDirectory && !entry.isFile()) continue;
      const named = nameOf(rules, `${link}${rest}`, isDirectory ? 'directory' : 'file');
      const path = `${top}${rest}`;
      const isHere = named?.kind === 'denyWrite' && !INSTALLED.test(path);
      const seen = isHere ? see({ ...named, path }, lstatSync(`${root}/${path}`, LOOK)) : undefined;
      if (seen !== undefined) found.push(seen);
      if (isDirectory) pending.push(rest);
    }
  }
  return found;
}

function entriesOf(directory: string): Dirent[] {
  try {
    return lstatSync(directory, LOOK)?.isDirectory() === true ? readdirSync(directory, { withFileTypes: true }) : [];
  } catch {
    // Gone since, or closed.
    return [];
  }
}

/**
 * The directories on the way to what must not be written, and those by whose names alone a rule keeps something from being
 * read: moved, they would show it. Not those of installed packages for writing: they are moved about when something is
 * installed.
 */
export function placesOf(named: Iterable<Seen>, rules: PathRules): NamedPath[] {
  const found = new Map<string, NamedPath>();
  for (const { path, kind, rule } of named) {
    const parts = path.split('/');
    for (let length = 1; length < parts.length; length += 1) {
      if (kind === 'denyWrite' && parts[length - 1] === 'node_modules') break;
      const place = parts.slice(0, length).join('/');
      if (kind === 'denyRead' && !rules.mayReachThrough(kind, place)) continue;
      if (found.get(place)?.kind === 'denyRead') continue;
      found.set(place, { path: place, type: 'directory', kind, reach: 'place', rule });
    }
  }
  return [...found.values()];
}
