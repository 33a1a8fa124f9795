import { type FSWatcher, readFileSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import { Gate } from '../../files/direct/gate.js';
import { errnoOf } from '../../files/refusal.js';
import { PathRules } from '../../files/rules/path-rules.js';
import type { NamedPath } from '../../protocol/name-guard.js';
import type { EnforcementPlan, PathRule } from '../../protocol/plan.js';
import { closedDirectory, closesRoot, findNamed, identityAt, type Listing, placesOf, type Seen } from './find-named.js';
import { type LinkedRead, rulesForLinked } from './find-read-through.js';

export interface NameWatchOptions {
  /** Real path. */
  root: string;
  plan: EnforcementPlan;
  /** What is covered is the name, whatever comes there. Default false. */
  byName?: boolean;
  /** Tells of changes in the directory where the process is; throws where the kernel watches no more. Default Node's. */
  watch?: typeof watch;
  /** Something else stands where there was something that must not be read. */
  onReplaced(named: NamedPath): void;
  /** Something is there that must not be written, and was not at first; `replaced`: in the place of something that was. */
  onAppeared(named: NamedPath, replaced: boolean): void;
}

interface Directory {
  identity: string;
  watcher: FSWatcher | undefined;
  named: readonly Seen[];
  /** Links above what must not be written. */
  leading: readonly Seen[];
  /** What must not be read by a name that is a link, or leads through one. */
  linked: readonly LinkedRead[];
  /** Directories in it. */
  below: readonly string[];
}

/**
 * What of a tree the rules name, kept true while others change the tree. The kernel says which directories changed, and
 * only those are listed again; where it cannot (no watches left), all are, at every look.
 */
export class NameWatch {
  readonly #options: NameWatchOptions;
  readonly #rules = new PathRules();
  readonly #gate = new Gate();
  readonly #directories = new Map<string, Directory>();
  /** Those in which something is named. */
  readonly #naming = new Set<string>();
  /** Those in which a link is named: what it leads to changes elsewhere. */
  readonly #linking = new Set<string>();
  /** As it was at first: what is covered. */
  #first: ReadonlyMap<string, Seen> = new Map();
  /** The directories that must stay in their place, as they were at first. */
  #places: ReadonlyMap<string, Seen> = new Map();
  /** Links above what must not be written, that were there at first. */
  #firstLeading: ReadonlyMap<string, string> = new Map();
  /** Of `#first`: what went away since. It is covered no more, whatever comes there later. */
  readonly #lost = new Set<string>();
  readonly #said = new Set<string>();
  readonly #dirty = new Set<string>();
  /** Directories that another may have taken the place of. */
  readonly #suspects = new Set<string>();
  readonly #maxEvents = halfOfQueue();
  #events = 0;
  #scans = false;
  /** Not every change was told. */
  #unsure = false;
  #looksSoon = false;
  /** Of the first look: what came later a command made, or the host in a directory of a command's. */
  readonly unnamed: string[] = [];
  /** Rules for what denied names led to at first, by the names of where it lies: it stays closed when the links go. */
  readonly linked: readonly PathRule[];
  #begun = false;

  constructor(options: NameWatchOptions) {
    this.#options = options;
    this.#rules.add(options.plan);
    this.#list('');
    this.linked = this.#closeLinked();
    this.#begun = true;
    this.#first = this.#named();
    this.#places = this.#findPlaces();
    this.#firstLeading = new Map(this.#leading().map(({ path, identity }) => [path, identity]));
  }

  get named(): NamedPath[] {
    return [...this.#first.values(), ...this.#places.values()].map(plain);
  }

  get closesRoot(): boolean {
    return closesRoot(this.#rules);
  }

  /** Rules that name nothing. */
  get unmatched(): string[] {
    const { denyRead, denyWrite } = this.#options.plan;
    const seen = new Set([...this.#first.values()].map(({ rule }) => rule));
    return [...new Set([...denyRead, ...denyWrite].map(({ rule }) => rule))].filter((rule) => !seen.has(rule));
  }

  /**
   * What must not be read and is not as it was at first, and what must not be written and was replaced, or a directory
   * on the way to it.
   */
  async changed(): Promise<NamedPath[]> {
    // What the kernel has said up to now is heard first.
    await nextTurn();
    await nextTurn();
    return this.#look().map(plain);
  }

  #look(): Seen[] {
    this.#unsure = this.#scans || this.#events > this.#maxEvents;
    if (this.#unsure) {
      for (const directory of this.#directories.keys()) this.#dirty.add(directory);
    }
    this.#events = 0;
    for (const path of this.#suspects) {
      if (this.#directories.get(path)?.identity !== identityAt(`${this.#options.root}/${path}`)) this.#forget(path);
    }
    this.#suspects.clear();
    for (const directory of [...this.#dirty].sort()) {
      this.#dirty.delete(directory);
      if (this.#directories.has(directory)) this.#list(directory);
    }
    const changed = [...this.#named().values()].filter((seen) => !this.#isFirst(seen));
    const leading = this.#leading().filter(({ path, identity }) => this.#firstLeading.get(path) !== identity);
    for (const seen of [...changed, ...leading]) this.#tell(seen);
    const moved = [...this.#places.values()].filter(
      ({ path, identity }) => this.#directories.get(path)?.identity !== identity,
    );
    // To cover what a command has just made and written would come too late.
    return [...changed.filter(({ kind, path }) => kind === 'denyRead' || this.#first.has(path)), ...moved];
  }

  #tell(seen: Seen): void {
    const { onReplaced, onAppeared } = this.#options;
    const isNew = !this.#first.has(seen.path);
    // What is new and must not be read is covered before the next command.
    if ((isNew && seen.kind === 'denyRead') || this.#said.has(seen.path)) return;
    this.#said.add(seen.path);
    if (seen.kind === 'denyWrite') onAppeared(plain(seen), !isNew);
    else onReplaced(plain(seen));
  }

  #closeLinked(): PathRule[] {
    // Where the name is covered, whatever it is, only a link above it shows what it leads to.
    const all = [...this.#linking].flatMap((directory) => this.#directories.get(directory)?.linked ?? []);
    const linked = this.#options.byName === true ? all.filter(({ isAbove }) => isAbove) : all;
    const rules = rulesForLinked(linked);
    if (rules.length === 0) return rules;
    this.#rules.add({ denyRead: rules, denyWrite: [] });
    this.unnamed.length = 0;
    for (const directory of [...this.#directories.keys()]) if (this.#directories.has(directory)) this.#list(directory);
    return rules;
  }

  #findPlaces(): Map<string, Seen> {
    const places = new Map<string, Seen>();
    for (const place of placesOf(this.#first.values(), this.#rules)) {
      const identity = this.#directories.get(place.path)?.identity;
      if (identity === undefined || this.#first.has(place.path)) continue;
      places.set(place.path, { ...place, identity, changed: '' });
    }
    return places;
  }

  #leading(): Seen[] {
    return [...this.#linking].flatMap((directory) => this.#directories.get(directory)?.leading ?? []);
  }

  #isFirst({ path, identity, changed, kind, reach }: Seen): boolean {
    const first = this.#first.get(path);
    if (first === undefined) return false;
    if (this.#options.byName === true) return true;
    if (this.#lost.has(path)) return false;
    if (first.identity !== identity || first.kind !== kind || first.reach !== reach) return false;
    // Without all that the kernel said, a name may have gone and come back with the same file: that changes the file's time.
    return !this.#unsure || first.changed === changed;
  }

  /** What must not be read comes before what must not be written, where both name one path. */
  #named(): Map<string, Seen> {
    const all = [...this.#naming].flatMap((directory) => this.#directories.get(directory)?.named ?? []);
    const named = new Map<string, Seen>();
    for (const seen of all) {
      if (seen.kind === 'denyRead' || !named.has(seen.path)) named.set(seen.path, seen);
    }
    return named;
  }

  #list(directory: string): void {
    const known = this.#directories.get(directory) ?? {
      identity: '',
      watcher: undefined,
      named: [],
      leading: [],
      linked: [],
      below: [],
    };
    this.#directories.set(directory, known);
    const { named, directories, hasLinks, leading, linked, unnamed } = this.#read(directory, known);
    if (!this.#begun) this.unnamed.push(...unnamed);
    const still = new Set(directories);
    for (const path of known.below) if (!still.has(path)) this.#forget(path);
    this.#lose(directory, known.named, named);
    known.named = named;
    known.leading = leading;
    known.linked = linked;
    known.below = directories;
    setMember(this.#naming, directory, named.length > 0);
    setMember(this.#linking, directory, hasLinks);
    for (const path of directories) if (!this.#directories.has(path)) this.#list(path);
  }

  /** Watched before it is listed, so that nothing comes in between. */
  #read(directory: string, known: Directory): Listing {
    const { root } = this.#options;
    try {
      this.#gate.reset();
      this.#gate.enter(directory === '' ? root : `${root}/${directory}`);
      const identity = identityAt('.');
      if (known.identity !== identity) {
        known.watcher?.close();
        known.watcher = this.#watch(directory);
      }
      known.identity = identity;
      return findNamed(root, directory, this.#rules);
    } catch (error) {
      // It went, or something took its place: the directory that it is in says so too.
      const closed = errnoOf(error) === 'EACCES' ? closedDirectory(directory, this.#rules) : undefined;
      return {
        named: closed === undefined ? [] : [closed],
        directories: [],
        hasLinks: false,
        leading: [],
        linked: [],
        unnamed: [],
      };
    }
  }

  #watch(directory: string): FSWatcher | undefined {
    if (this.#scans) return undefined;
    try {
      const watcher = (this.#options.watch ?? watch)('.', { persistent: false }, (event, name) =>
        this.#heard(directory, event, name),
      );
      watcher.on('error', () => {
        this.#scans = true;
      });
      return watcher;
    } catch {
      this.#scans = true;
      return undefined;
    }
  }

  #heard(directory: string, event: string, name: string | null): void {
    this.#events += 1;
    if (event !== 'rename') return;
    const path = name === null || directory === '' ? (name ?? directory) : `${directory}/${name}`;
    this.#dirty.add(directory);
    for (const linking of this.#linking) this.#dirty.add(linking);
    // A cover goes with a directory that is moved, and a change of its mode is told like a move.
    if (this.#first.get(path)?.type === 'file') this.#lost.add(path);
    if (path !== directory && this.#directories.has(path)) this.#suspects.add(path);
    if (this.#looksSoon) return;
    this.#looksSoon = true;
    setImmediate(() => {
      this.#looksSoon = false;
      this.#look();
    });
  }

  /** With everything below it. */
  #forget(path: string): void {
    const known = this.#directories.get(path);
    if (known === undefined) return;
    known.watcher?.close();
    this.#directories.delete(path);
    this.#naming.delete(path);
    this.#linking.delete(path);
    this.#lose(path, known.named, []);
    for (const below of known.below) this.#forget(below);
  }

  #lose(directory: string, before: readonly Seen[], now: readonly Seen[]): void {
    if (before.length === 0) return;
    const still = new Set(now.map(({ path }) => path));
    for (const { path, kind } of before) {
      // A link went, and not what it led to, which has a rule of its own.
      const isElsewhere = kind === 'denyRead' && dirname(path) !== (directory === '' ? '.' : directory);
      if (!isElsewhere && !still.has(path) && this.#first.has(path)) this.#lost.add(path);
    }
  }
}

function setMember(set: Set<string>, member: string, isIn: boolean): void {
  if (isIn) set.add(member);
  else set.delete(member);
}

function plain({ path, type, kind, reach, rule }: Seen): NamedPath {
  return { path, type, kind, reach, rule };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A queue that overflows loses what it cannot hold, and Node does not tell. Long before that everything is looked at again. */
function halfOfQueue(): number {
  try {
    return Math.max(16, Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8')) >> 1);
  } catch {
    return 1_000;
  }
}
