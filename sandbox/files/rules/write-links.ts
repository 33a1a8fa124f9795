import type { PathRule } from '../../protocol/plan.js';
import { errnoOf, Moved, Refusal } from '../refusal.js';
import { type Entry, joinDir, type Tree } from '../tree.js';
import { followText, isGitFile, type LinkWay, linkText } from './link-way.js';
import type { PathRules } from './path-rules.js';

/** A link by which stands what a rule keeps from being written. */
export interface LinkedName {
  link: string;
  rule: PathRule;
}

/** As many entries are looked through for links, those near the root first; installed packages are not. */
const MAX_LOOKED_AT = 20_000;
const MAX_BELOW = 20_000;
const MAX_NAMES = 5000;
/** A link may stand where another leads, and so on. */
const MAX_ROUNDS = 4;

/** Links that write rules speak of, by what they lead to, by what they lead through, and by where they are. */
interface Known {
  names: Set<string>;
  byTarget: Map<string, LinkedName[]>;
  byStep: Map<string, LinkedName>;
  byLink: Map<string, LinkedName>;
  byPlace: Map<string, LinkedName[]>;
}

/**
 * The links of a workspace by which something gets a name that write rules deny: what is written where `.github` leads
 * to is written to `.github/workflows`, too, and so is what a link on the way is made to lead to. Looked for once,
 * before the first write.
 */
export class WriteLinks {
  readonly #rules: PathRules;
  readonly #tree: Tree;
  #places: Set<string> | undefined;
  #known: Known | undefined;

  constructor(rules: PathRules, tree: Tree) {
    this.#rules = rules;
    this.#tree = tree;
  }

  forget(): void {
    this.#places = undefined;
    this.#known = undefined;
  }

  /** Those that were made since, or are about to be: known from the next question on. */
  add(links: readonly string[]): void {
    for (const link of links) this.#places?.add(link);
    if (links.some((link) => this.namesOf(link).some((name) => this.#ruleFor(name) !== undefined)))
      this.#known = undefined;
  }

  /** Before links go, the place itself or what is below it. */
  drop(path: string): void {
    const places = this.#known?.byPlace.keys() ?? [];
    if ([...places].some((place) => below(place, path) !== undefined)) this.#known = undefined;
  }

  /** A link by which the path has another name, and the rule that denies to write there. */
  find(path: string): LinkedName | undefined {
    for (const { name, link } of this.#otherNames(path)) {
      const rule = this.#rules.find('denyWrite', name);
      if (rule !== undefined) return { link, rule };
    }
    return undefined;
  }

  /** The path itself, and its names below links. */
  namesOf(path: string): string[] {
    return [path, ...Array.from(this.#otherNames(path), ({ name }) => name)];
  }

  /** The path is a link that must stay what it is: without it a rule would find what it names no more, or something else. */
  holds(path: string): LinkedName | undefined {
    const known = this.#know();
    const through = known.byLink.get(path);
    if (through !== undefined) return through;
    for (const { link } of known.byPlace.get(path) ?? []) {
      const rule = this.#rules.findThrough(link);
      if (rule !== undefined) return { link, rule };
      const text = linkText(this.#tree, path);
      const inIt = text === undefined ? undefined : this.#findBelow(link, followText(this.#tree, path, text));
      if (inIt !== undefined) return inIt;
    }
    return undefined;
  }

  /** A link whose way leads through the path, there or not: made a link, it would lead elsewhere. */
  leadsThrough(path: string): LinkedName | undefined {
    return this.#know().byStep.get(path);
  }

  /** What would come to stand below a link that is not there yet, and may not be written there. */
  findBelow(link: string, target: string): LinkedName | undefined {
    for (const name of this.namesOf(link)) {
      if (!this.#rules.mayReachThrough('denyWrite', name)) continue;
      const found = this.#findBelow(name, followText(this.#tree, link, target));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #findBelow(link: string, { target: top }: LinkWay): LinkedName | undefined {
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

  *#otherNames(path: string): Generator<{ name: string; link: string }> {
    if (!this.#rules.has('denyWrite')) return;
    const { byTarget } = this.#know();
    if (byTarget.size === 0) return;
    for (let end = path.length; end >= 0; end = end === 0 ? -1 : Math.max(0, path.lastIndexOf('/', end - 1))) {
      const rest = end === 0 ? path : path.slice(end + 1);
      for (const { link } of byTarget.get(path.slice(0, end)) ?? []) yield { name: joinDir(link, rest), link };
    }
  }

  #know(): Known {
    if (this.#known !== undefined) return this.#known;
    const known: Known = {
      names: new Set(),
      byTarget: new Map(),
      byStep: new Map(),
      byLink: new Map(),
      byPlace: new Map(),
    };
    this.#known = known;
    if (!this.#rules.has('denyWrite')) return known;
    this.#places ??= this.#look();
    for (let round = 0, before = -1; round < MAX_ROUNDS && known.names.size > before; round += 1) {
      before = known.names.size;
      for (const place of this.#places) for (const name of this.namesOf(place)) this.#learn(known, place, name);
    }
    return known;
  }

  #learn(known: Known, place: string, name: string): void {
    if (known.names.has(name) || known.names.size >= MAX_NAMES) return;
    const rule = this.#ruleFor(name);
    const text = rule === undefined ? undefined : linkText(this.#tree, place);
    if (rule === undefined || text === undefined) return;
    known.names.add(name);
    const linked = { link: name, rule };
    const { target, steps, links } = followText(this.#tree, place, text);
    put(known.byPlace, place, linked);
    for (const step of steps) if (!known.byStep.has(step)) known.byStep.set(step, linked);
    for (const link of links) if (!known.byLink.has(link)) known.byLink.set(link, linked);
    // What a link in a closed directory shows of the directories around it stays open.
    const isAround = target !== undefined && below(place, target) !== undefined;
    if (target !== undefined && !(isAround && !this.#rules.mayReachThrough('denyWrite', name)))
      put(known.byTarget, target, linked);
  }

  #ruleFor(name: string): PathRule | undefined {
    return this.#rules.find('denyWrite', name) ?? this.#rules.findReaching('denyWrite', name);
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
        if (type === 'symlink' || (type === 'file' && isGitFile(name))) found.add(path);
      }
    }
    return found;
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

function put(map: Map<string, LinkedName[]>, key: string, linked: LinkedName): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [linked]);
  else known.push(linked);
}

/** The rest of a path that is a directory or below it. */
function below(path: string, directory: string): string | undefined {
  if (path === directory || directory === '') return path === directory ? '' : path;
  return path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : undefined;
}
