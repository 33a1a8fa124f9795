import type { BigIntStats } from 'node:fs';
import type { PathRule } from '../../protocol/plan.js';
import type { Difference } from '../overlay/layer-diff.js';
import { quotePath, Refusal } from '../refusal.js';
import type { Place } from '../resolve.js';
import { lexicalPath, parsePath } from '../sandbox-path.js';
import { type Entry, joinDir, pathOf, spotOf, type Tree } from '../tree.js';
import type { PathRules, RuleKind } from './path-rules.js';
import { pathsBelow } from './paths-below.js';
import { type LinkedName, WriteLinks } from './write-links.js';

/** A directory with more than this is not moved or removed where there are rules; other names are not searched further. */
const MAX_SEARCHED = 500_000;

/**
 * Holds the plan's rules against places. A rule is checked on the path as it was given and on the place after links:
 * either one is enough to refuse.
 */
export class Guard {
  readonly #rules: PathRules;
  readonly #workspace: Tree;
  /** `dev:ino` of denied files that have other names; found at the first read of a file with several names. */
  #deniedInodes: Set<string> | undefined;
  readonly #links: WriteLinks;

  constructor(rules: PathRules, workspace: Tree) {
    this.#rules = rules;
    this.#workspace = workspace;
    this.#links = new WriteLinks(rules, workspace);
  }

  rulesChanged(): void {
    this.#deniedInodes = undefined;
    this.#links.forget();
  }

  /** @throws `Refusal` `access_denied` */
  require(kind: RuleKind, place: Place): void {
    if (!this.#rules.has(kind)) return;
    const rule = this.#find(kind, place);
    if (rule !== undefined) throw denied(rule);
    if (kind !== 'denyWrite') return;
    const path = workspacePath(place);
    const linked = path === undefined ? undefined : this.#links.find(path);
    if (linked !== undefined) throw deniedByLink(linked);
  }

  /**
   * Before a symbolic link gets a name: what it leads to would stand under names that may not be written.
   * @throws `Refusal` `access_denied`
   */
  requireLink(place: Place, target: string): void {
    const path = workspacePath(place);
    if (path !== undefined) this.#requireLinkAt(path, target, 'something below it is ');
    const { given } = place;
    const rule = given === undefined ? undefined : this.#rules.findThrough(given);
    if (rule !== undefined) throw denied(rule, 'something below it is ');
    if (path !== undefined) this.#links.add([path]);
  }

  /** What a change that is written back does to a rule: of the path, of a link that it is, or of one that leads there. */
  deniesChange({ path, kind, type }: Difference): PathRule | undefined {
    const byName = kind === 'deleted' ? this.#rules.findKeeping(path) : this.#rules.find('denyWrite', path);
    if (byName !== undefined || type !== 'symlink') return byName ?? this.#links.find(path)?.rule;
    const through = this.#rules.findThrough(path) ?? this.#links.find(path)?.rule;
    return through ?? (kind === 'deleted' ? undefined : this.#links.leadsThrough(path)?.rule);
  }

  /** For a path that leads nowhere, because something else hides what a rule denies. @throws `Refusal` `access_denied` */
  requireName(kind: RuleKind, path: string): void {
    const lexical = lexicalPath(parsePath(path).parts);
    const inside = lexical.startsWith('/workspace/') ? lexical.slice('/workspace/'.length) : undefined;
    const rule = inside === undefined ? undefined : this.#rules.find(kind, inside);
    if (rule !== undefined) throw denied(rule);
  }

  denies(kind: RuleKind, place: Place): boolean {
    return this.#rules.has(kind) && this.#find(kind, place) !== undefined;
  }

  /**
   * Before a denied file loses one of several names: the rule would no longer find the content under the others.
   * @throws `Refusal` `access_denied`
   */
  requireReplaceable(place: Place): void {
    if (this.denies('denyRead', place)) this.#requireOnlyName(place.stat);
  }

  /**
   * Before a link loses its name: what is named by it, or by a link that leads through it, would be out of a rule's sight.
   * @throws `Refusal` `access_denied`
   */
  requireUnheld(place: Place): void {
    const path = place.stat?.isSymbolicLink() === true ? workspacePath(place) : undefined;
    if (path === undefined) return;
    const held = this.#links.holds(path);
    if (held !== undefined) throw deniedByWay(held);
    this.#links.drop(path);
  }

  /** Denied by another of its names. @throws `Refusal` `access_denied` */
  requireNotDeniedElsewhere(stat: BigIntStats): void {
    if (stat.nlink < 2n || !this.#rules.has('denyRead')) return;
    this.#deniedInodes ??= this.#findDeniedInodes();
    if (this.#deniedInodes.has(`${stat.dev}:${stat.ino}`)) {
      throw new Refusal('access_denied', 'it is a second name of a file that a rule keeps from being read');
    }
  }

  /**
   * For moving or removing a directory: nothing may be in it that may not be written, nor what could be read in its new
   * place only, and there nothing in it may become something that only a denied write could have made.
   * @throws `Refusal` `access_denied`
   */
  requireMovable(from: Place, to?: Place): void {
    if (this.#rules.empty || from.stat?.isDirectory() !== true) return;
    const oldPath = workspacePath(from);
    const newPath = to === undefined ? undefined : workspacePath(to);
    if (oldPath === undefined && newPath === undefined) return;
    const links: string[] = [];
    for (const below of pathsBelow(from.tree, pathOf(from), MAX_SEARCHED)) {
      if (below === undefined) {
        throw new Refusal(
          'access_denied',
          `it holds more than ${MAX_SEARCHED} files, too many to check against the rules; take smaller directories`,
        );
      }
      if (to !== undefined && below.closed === true)
        throw new Refusal('access_denied', `${quotePath(below.path)} in it cannot be looked into, to check the rules`);
      const at = { path: joinDir(pathOf(from), below.path), type: below.type, tree: from.tree };
      const next = newPath === undefined ? undefined : joinDir(newPath, below.path);
      if (oldPath !== undefined) this.#requireLeaving(at, { to, next });
      if (next !== undefined) this.#requireArriving(at, next);
      if (next !== undefined && below.type === 'symlink') links.push(next);
    }
    if (oldPath !== undefined) this.#links.drop(oldPath);
    this.#links.add(links);
  }

  #requireOnlyName(stat: BigIntStats | undefined): void {
    if (stat === undefined || stat.nlink < 2n || !stat.isFile()) return;
    throw new Refusal(
      'access_denied',
      'a rule keeps it from being read, and it has other names that would then be readable',
    );
  }

  #requireLeaving(
    { path, type, tree }: Leaving,
    { to, next }: { to: Place | undefined; next: string | undefined },
  ): void {
    const rule = to === undefined ? this.#rules.findKeeping(path) : this.#rules.find('denyWrite', path);
    const read = this.#rules.find('denyRead', path);
    const isKept = read !== undefined && next !== undefined && this.#rules.find('denyRead', next) !== undefined;
    if (rule !== undefined) throw denied(rule, IN_IT);
    if (read !== undefined && to !== undefined && !isKept) throw denied(read, IN_IT);
    if (read !== undefined && type === 'file') this.#requireOnlyName(tree.lstat(spotOf(path)));
    const linked = this.#links.find(path);
    if (linked !== undefined) throw deniedByLink(linked, IN_IT);
    const held = type === 'symlink' ? this.#links.holds(path) : undefined;
    if (held !== undefined) throw deniedByWay(held, 'something in it is kept: ');
  }

  #requireArriving({ path, type, tree }: Leaving, next: string): void {
    const rule = this.#rules.find('denyWrite', next);
    if (rule !== undefined) throw denied(rule, IN_IT);
    const linked = this.#links.find(next);
    if (linked !== undefined) throw deniedByLink(linked, IN_IT);
    if (type === 'symlink') this.#requireLinkAt(next, tree.readlink(spotOf(path)), IN_IT);
  }

  #requireLinkAt(path: string, target: string, what: string): void {
    for (const name of this.#links.namesOf(path)) {
      const rule = this.#rules.findThrough(name);
      if (rule !== undefined) throw denied(rule, what);
    }
    const linked = this.#links.findBelow(path, target);
    if (linked !== undefined) throw deniedByLink(linked, what);
    const led = this.#links.leadsThrough(path);
    if (led !== undefined) throw deniedByWay(led);
  }

  #find(kind: RuleKind, place: Place): PathRule | undefined {
    const path = workspacePath(place);
    const byPlace = path === undefined ? undefined : this.#rules.find(kind, path);
    if (byPlace !== undefined || place.given === undefined) return byPlace;
    return this.#rules.find(kind, place.given);
  }

  #findDeniedInodes(): Set<string> {
    const found = new Set<string>();
    for (const below of pathsBelow(this.#workspace, '', MAX_SEARCHED)) {
      if (below === undefined || this.#rules.find('denyRead', below.path) === undefined) continue;
      const stat = this.#workspace.lstat(spotOf(below.path));
      if (stat !== undefined && stat.nlink > 1n && stat.isFile()) found.add(`${stat.dev}:${stat.ino}`);
    }
    return found;
  }
}

/** Relative to the workspace; `undefined` elsewhere, where no rule holds. */
export function workspacePath(place: Place): string | undefined {
  return place.tree.mount === '/workspace' ? pathOf(place) : undefined;
}

/** Something in a directory that is to be moved or removed. */
interface Leaving {
  path: string;
  type: Entry['type'];
  tree: Tree;
}

const IN_IT = 'something in it is ';

function deniedByWay({ link, rule }: LinkedName, what = ''): Refusal {
  return denied(rule, `${what}the link ${quotePath(link)} leads through it, and there something is `);
}

function deniedByLink({ link, rule }: LinkedName, what = ''): Refusal {
  return denied(rule, `${what}also below the link ${quotePath(link)}, and there `);
}

function denied(rule: PathRule, what = ''): Refusal {
  return new Refusal(
    'access_denied',
    `${what}denied by the rule '${rule.rule}'${rule.reason === undefined ? '' : ` (${rule.reason})`}`,
  );
}
