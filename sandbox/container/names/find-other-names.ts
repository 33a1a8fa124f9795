import { type BigIntStats, type Dirent, lstatSync, readdirSync } from 'node:fs';
import { Gate } from '../../files/direct/gate.js';
import { errnoOf } from '../../files/refusal.js';
import { PathRules } from '../../files/rules/path-rules.js';
import type { OtherName, OtherNames } from '../../protocol/name-guard.js';
import type { EnforcementPlan, PathRule } from '../../protocol/plan.js';
import { followLinks } from './follow-links.js';
import { ruleBelow } from './rule-below.js';
import { readTrackedFiles } from './tracked-files.js';

const MAX_ENTRIES = 2_000_000;
/** Directories in a directory that a link leads to, which may be a link's again. */
const MAX_NESTED = 20;

/**
 * Looks for content that a rule keeps from being read under names that no rule denies: hard
 * links, what a denied name is a symbolic link to, and what git keeps.
 */
export function findOtherNames(root: string, plan: EnforcementPlan, maxEntries = MAX_ENTRIES): OtherNames {
  const rules = new PathRules();
  rules.add(plan);
  const search = new Search(root, { rules, left: maxEntries });
  if (!rules.empty) search.walk('');
  return {
    exposures: [...search.hardLinks(), ...search.targets.values(), ...search.tracked],
    links: search.links,
    unseen: search.unseen,
  };
}

interface Denied {
  path: string;
  rule: PathRule;
}

class Search {
  readonly tracked: OtherName[] = [];
  /** What denied links lead to, once each. */
  readonly targets = new Map<string, OtherName>();
  /** What was not looked at, for people. */
  readonly unseen: string[] = [];
  // A link may be called `__proto__`.
  readonly links: Record<string, string> = Object.create(null);
  readonly #root: string;
  readonly #rules: PathRules;
  readonly #gate = new Gate();
  /** Files of several names, by file. */
  readonly #linked = new Map<string, { denied: Denied[]; others: string[] }>();
  #left: number;

  constructor(root: string, { rules, left }: { rules: PathRules; left: number }) {
    this.#root = root;
    this.#rules = rules;
    this.#left = left;
  }

  walk(directory: string): void {
    const entries = this.#entries(directory);
    for (const entry of entries) {
      if (!this.#mayLook()) return;
      if (entry.isFile()) this.#lookAt(entry.name, below(directory, entry.name));
    }
    this.#readIndex(directory, entries);
    for (const entry of entries) if (entry.isSymbolicLink()) this.#followLink(below(directory, entry.name));
    for (const entry of entries) if (entry.isDirectory() && this.#left > 0) this.walk(below(directory, entry.name));
  }

  hardLinks(): OtherName[] {
    return [...this.#linked.values()].flatMap(({ denied, others }) => {
      const [first] = denied;
      if (first === undefined) return [];
      const { path, rule } = first;
      return others.map((also) => ({ path, rule: rule.rule, how: 'hard link' as const, also }));
    });
  }

  #mayLook(): boolean {
    if (this.#left === 0) this.unseen.push('the workspace has more files than are looked at');
    this.#left -= 1;
    return this.#left >= 0;
  }

  #entries(directory: string): Dirent[] {
    try {
      this.#gate.reset();
      this.#gate.enter(directory === '' ? this.#root : `${this.#root}/${directory}`);
      return readdirSync('.', { withFileTypes: true });
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') this.unseen.push(`'${directory}' cannot be looked into`);
      return [];
    }
  }

  #lookAt(name: string, path: string): void {
    const stat: BigIntStats | undefined = lstatSync(name, { bigint: true, throwIfNoEntry: false });
    // An empty file shows nothing under any name.
    if (stat === undefined || stat.nlink < 2n || stat.size === 0n) return;
    const file = `${stat.dev}:${stat.ino}`;
    const names = this.#linked.get(file) ?? { denied: [], others: [] };
    this.#linked.set(file, names);
    const rule = this.#rules.find('denyRead', path);
    if (rule === undefined) names.others.push(path);
    else names.denied.push({ path, rule });
  }

  #followLink(path: string): void {
    const target = followLinks(this.#root, path);
    if (target === undefined) return;
    this.#lookThrough(path, target, MAX_NESTED);
    const named = (['denyRead', 'denyWrite'] as const).some(
      (kind) => this.#rules.find(kind, target) !== undefined || this.#rules.find(kind, `${target}/x`) !== undefined,
    );
    // A directory above what is denied leads there too.
    if (named || target === '' || this.#rules.findBelow(target) !== undefined || isDirectory(`${this.#root}/${target}`))
      this.links[path] = target === '' ? '.' : target;
  }

  /** What a rule denies by the name of a link, and nothing denies by the name of what it leads to. */
  #lookThrough(path: string, target: string, nested: number): void {
    const stat = lstatSync(`${this.#root}/${target}`, { throwIfNoEntry: false });
    const isDirectory = stat?.isDirectory() === true;
    const rule = this.#denies(path, isDirectory);
    if (rule !== undefined) {
      // An empty file shows nothing; in one that is not there yet something may be later.
      if (this.#denies(target, isDirectory) !== undefined || (stat?.isFile() === true && stat.size === 0)) return;
      const also = target === '' ? '.' : target;
      // Links to directories on the way give one file many names.
      const known = this.targets.get(also);
      if (known !== undefined && known.path.length <= path.length) return;
      this.targets.set(also, { path, rule: rule.rule, how: 'symbolic link', also });
      return;
    }
    if (!isDirectory || nested === 0 || !this.#rules.leadThrough('denyRead', path)) return;
    for (const entry of this.#entries(target)) {
      if (!this.#mayLook()) return;
      const inside = below(target, entry.name);
      const leadsTo = entry.isSymbolicLink() ? followLinks(this.#root, inside) : inside;
      if (leadsTo !== undefined) this.#lookThrough(below(path, entry.name), leadsTo, nested - 1);
    }
  }

  #denies(path: string, isDirectory: boolean): PathRule | undefined {
    if (path === '') return undefined;
    return this.#rules.find('denyRead', path) ?? (isDirectory ? ruleBelow(this.#rules, 'denyRead', path) : undefined);
  }

  /** The process is in the directory. */
  #readIndex(directory: string, entries: readonly Dirent[]): void {
    try {
      const tracked = readTrackedFiles(entries, { root: this.#root, directory });
      for (const inside of tracked?.paths ?? []) this.#lookAtTracked(inside, tracked?.worktree ?? '', tracked?.head);
    } catch {
      this.unseen.push(`the git index in '${directory}' cannot be read`);
    }
  }

  #lookAtTracked(inside: string, worktree: string, head = 'HEAD'): void {
    const path = below(worktree, inside.replace(/\/$/, ''));
    const also = `git show ${head}:${inside}`;
    const rule = this.#denies(path, inside.endsWith('/'));
    if (rule !== undefined) this.tracked.push({ path, rule: rule.rule, how: 'git', also });
    else if (inside.endsWith('/') && this.#rules.mayNameBelow('denyRead', path))
      this.unseen.push(`a sparse git index does not say what is in '${path}'`);
  }
}

function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function below(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`;
}
