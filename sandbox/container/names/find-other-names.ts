import { type BigIntStats, type Dirent, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { Gate } from '../../files/gate.js';
import { PathRules } from '../../files/path-rules.js';
import { errnoOf } from '../../files/refusal.js';
import type { OtherName, OtherNames } from '../../protocol/name-guard.js';
import type { EnforcementPlan, PathRule } from '../../protocol/plan.js';
import { follow } from './find-named.js';
import { readGitIndex } from './git-index.js';

const MAX_ENTRIES = 2_000_000;
const MAX_INDEX_BYTES = 256n * 1024n * 1024n;

/** Looks for content that a rule keeps from being read under names that no rule denies: hard links, and what git keeps. */
export function findOtherNames(root: string, plan: EnforcementPlan, maxEntries = MAX_ENTRIES): OtherNames {
  const rules = new PathRules();
  rules.add(plan);
  const search = new Search(root, { rules, left: maxEntries });
  if (!rules.empty) search.walk('');
  return { exposures: [...search.hardLinks(), ...search.tracked], links: search.links, unseen: search.unseen };
}

interface Denied {
  path: string;
  rule: PathRule;
}

class Search {
  readonly tracked: OtherName[] = [];
  /** What was not looked at, for people. */
  readonly unseen: string[] = [];
  readonly links: Record<string, string> = {};
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
      if (this.#left <= 0) {
        if (this.#left === 0) this.unseen.push('the workspace has more files than are looked at');
        this.#left = -1;
        return;
      }
      this.#left -= 1;
      if (entry.isSymbolicLink()) this.#followLink(below(directory, entry.name));
      if (entry.isFile()) this.#lookAt(entry.name, below(directory, entry.name));
    }
    if (isRepository(entries)) this.#readIndex(directory);
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
    const target = follow(this.#root, path);
    if (target === undefined) return;
    const named = (['denyRead', 'denyWrite'] as const).some(
      (kind) => this.#rules.find(kind, target) !== undefined || this.#rules.find(kind, `${target}/x`) !== undefined,
    );
    // A directory above what is denied leads there too.
    if (named || target === '' || this.#rules.findBelow(target) !== undefined || isDirectory(`${this.#root}/${target}`))
      this.links[path] = target === '' ? '.' : target;
  }

  /** The process is in the repository. */
  #readIndex(directory: string): void {
    const worktree = worktreeOf(directory);
    try {
      const stat = lstatSync('index', { bigint: true, throwIfNoEntry: false });
      if (stat === undefined) return;
      if (!stat.isFile() || stat.size > MAX_INDEX_BYTES) throw new RangeError('It is no file, or a very large one');
      for (const inside of readGitIndex(readFileSync('index'))) {
        const path = below(worktree, inside);
        const rule = this.#rules.find('denyRead', path);
        if (rule !== undefined)
          this.tracked.push({ path, rule: rule.rule, how: 'git', also: `git show HEAD:${inside}` });
      }
    } catch {
      this.unseen.push(`the git index in '${directory}' cannot be read`);
    }
  }
}

function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isRepository(entries: readonly Dirent[]): boolean {
  const has = (name: string, isDirectory: boolean) =>
    entries.some((entry) => entry.name === name && entry.isDirectory() === isDirectory);
  return has('HEAD', false) && has('objects', true) && has('refs', true);
}

/** `a/.git` keeps what is in `a`, and `a/.git/modules/b` what is in `a/b`. */
function worktreeOf(repository: string): string {
  return repository
    .replace(/(^|\/)\.git\/modules\//g, '$1')
    .replace(/(^|\/)\.git$/, '')
    .replace(/\/modules\//g, '/');
}

function below(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`;
}
