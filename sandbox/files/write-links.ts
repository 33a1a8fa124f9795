import type { PathRule } from '../protocol/plan.js';
import type { PathRules } from './path-rules.js';
import { errnoOf, Moved, Refusal } from './refusal.js';
import { resolvePath } from './resolve.js';
import { lexicalPath } from './sandbox-path.js';
import { type Entry, joinDir, pathOf, spotOf, type Tree } from './tree.js';

/** A link below which stands what a rule keeps from being written. */
export interface LinkedName {
  link: string;
  rule: PathRule;
}

/** As many entries are looked through for links, those near the root first; installed packages are not. */
const MAX_LOOKED_AT = 20_000;
const MAX_BELOW = 20_000;

/**
 * The links of a workspace by which something gets a name that write rules deny: what is written where `.github` leads
 * to is written to `.github/workflows`, too. Looked for once, before the first write.
 */
export class WriteLinks {
  readonly #rules: PathRules;
  readonly #tree: Tree;
  #links: Set<string> | undefined;

  constructor(rules: PathRules, tree: Tree) {
    this.#rules = rules;
    this.#tree = tree;
  }

  forget(): void {
    this.#links = undefined;
  }

  /** One that was made since. */
  add(link: string): void {
    if (this.#links !== undefined && this.#rules.mayReachThrough(link)) this.#links.add(link);
  }

  /** A link by which the path has another name, and the rule that denies to write there. */
  find(path: string): LinkedName | undefined {
    if (!this.#rules.has('denyWrite')) return undefined;
    this.#links ??= this.#look();
    for (const link of this.#links) {
      const target = this.#targetOf(link);
      const rest = target === undefined ? undefined : below(path, target);
      const rule = rest === undefined ? undefined : this.#rules.find('denyWrite', joinDir(link, rest));
      if (rule !== undefined) return { link, rule };
    }
    return undefined;
  }

  /** What would come to stand below a link that is not there yet, and may not be written there. */
  findBelow(link: string, target: string): LinkedName | undefined {
    if (!this.#rules.mayReachThrough(link)) return undefined;
    const top = this.#resolve(link, target);
    const pending = top === undefined ? [] : [''];
    let left = MAX_BELOW;
    for (let dir = pending.pop(); dir !== undefined && top !== undefined; dir = pending.pop()) {
      for (const { name, type } of this.#entries(joinDir(top, dir))) {
        left -= 1;
        if (left < 0) return undefined;
        const rest = joinDir(dir, name);
        const rule = this.#rules.find('denyWrite', joinDir(link, rest));
        if (rule !== undefined && this.#rules.find('denyWrite', joinDir(top, rest)) === undefined)
          return { link, rule };
        if (type === 'directory') pending.push(rest);
      }
    }
    return undefined;
  }

  #look(): Set<string> {
    const found = new Set<string>();
    const pending = [''];
    let left = MAX_LOOKED_AT;
    for (const dir of pending) {
      for (const { name, type } of this.#entries(dir)) {
        left -= 1;
        if (left < 0) return found;
        const path = joinDir(dir, name);
        if (type === 'directory' && name !== 'node_modules') pending.push(path);
        if (type === 'symlink' && this.#rules.mayReachThrough(path)) found.add(path);
      }
    }
    return found;
  }

  /** `undefined`: it is no link any more, or leads out. */
  #targetOf(link: string): string | undefined {
    try {
      const at = spotOf(link);
      if (this.#tree.lstat(at)?.isSymbolicLink() !== true) return undefined;
      return this.#resolve(link, this.#tree.readlink(at));
    } catch (error) {
      if (error instanceof Refusal || errnoOf(error) !== '') return undefined;
      throw error;
    }
  }

  #resolve(link: string, target: string): string | undefined {
    const inside = target.startsWith('/') ? this.#tree.fromHostPath(target) : undefined;
    const there = inside === undefined ? target : `${this.#tree.mount}/${inside}`;
    const path = there.startsWith('/') ? there : `${this.#tree.mount}/${joinDir(spotOf(link).dir, there)}`;
    try {
      return pathOf(resolvePath([this.#tree], path, { follow: true }));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // A directory on the way is not there yet.
      const lexical = lexicalPath(path.split('/').filter((part) => part !== '' && part !== '.'));
      return error.code === 'not_found' ? below(lexical, this.#tree.mount) : undefined;
    }
  }

  #entries(dir: string): Entry[] {
    try {
      return this.#tree.entries(dir);
    } catch (error) {
      // Gone since, or closed to this process.
      if (error instanceof Moved || error instanceof Refusal || errnoOf(error) !== '') return [];
      throw error;
    }
  }
}

/** The rest of a path that is a directory or below it. */
function below(path: string, directory: string): string | undefined {
  if (path === directory || directory === '') return path === directory ? '' : path;
  return path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : undefined;
}
