import type { BigIntStats } from 'node:fs';
import type { PathRule } from '../protocol/plan.js';
import type { PathRules, RuleKind } from './path-rules.js';
import { pathsBelow } from './paths-below.js';
import { quotePath, Refusal } from './refusal.js';
import type { Place } from './resolve.js';
import { lexicalPath, parsePath } from './sandbox-path.js';
import { joinDir, pathOf, spotOf, type Tree } from './tree.js';
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
  }

  /** What a change that is written back does to a rule: of the path, of a link that it is, or of one that leads there. */
  deniesChange(path: string, isLink: boolean): PathRule | undefined {
    const byName = this.#rules.find('denyWrite', path) ?? (isLink ? this.#rules.findThrough(path) : undefined);
    return byName ?? this.#links.find(path)?.rule;
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
    if (place.stat === undefined || place.stat.nlink < 2n || !place.stat.isFile()) return;
    if (this.denies('denyRead', place)) {
      throw new Refusal(
        'access_denied',
        'a rule keeps it from being read, and it has other names that would then be readable',
      );
    }
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
   * For moving or removing a directory: nothing denied may be in it, and in its new place nothing in it may become
   * something that only a denied write could have made.
   * @throws `Refusal` `access_denied`
   */
  requireMovable(from: Place, to?: Place): void {
    if (this.#rules.empty || from.stat?.isDirectory() !== true) return;
    const oldPath = workspacePath(from);
    const newPath = to === undefined ? undefined : workspacePath(to);
    if (oldPath === undefined && newPath === undefined) return;
    const around = oldPath === undefined ? undefined : this.#rules.findBelow(oldPath);
    if (around !== undefined) throw denied(around, 'something in it is ');
    for (const below of pathsBelow(from.tree, pathOf(from), MAX_SEARCHED)) {
      if (below === undefined) {
        throw new Refusal(
          'access_denied',
          `it holds more than ${MAX_SEARCHED} files, too many to check against the rules; take smaller directories`,
        );
      }
      const rule =
        (oldPath === undefined ? undefined : this.#findAny(joinDir(oldPath, below))) ??
        (newPath === undefined ? undefined : this.#rules.find('denyWrite', joinDir(newPath, below)));
      if (rule !== undefined) throw denied(rule, 'something in it is ');
      const linked =
        (oldPath === undefined ? undefined : this.#links.find(joinDir(oldPath, below))) ??
        (newPath === undefined ? undefined : this.#links.find(joinDir(newPath, below)));
      if (linked !== undefined) throw deniedByLink(linked, 'something in it is ');
      if (newPath !== undefined)
        this.#requireMovableLink(from.tree, joinDir(pathOf(from), below), joinDir(newPath, below));
    }
  }

  #requireMovableLink(tree: Tree, path: string, newPath: string): void {
    if (!this.#rules.mayReachThrough(newPath)) return;
    const at = spotOf(path);
    if (tree.lstat(at)?.isSymbolicLink() === true)
      this.#requireLinkAt(newPath, tree.readlink(at), 'something in it is ');
  }

  #requireLinkAt(path: string, target: string, what: string): void {
    const rule = this.#rules.findThrough(path);
    if (rule !== undefined) throw denied(rule, what);
    const linked = this.#links.findBelow(path, target);
    if (linked !== undefined) throw deniedByLink(linked, what);
    this.#links.add(path);
  }

  #find(kind: RuleKind, place: Place): PathRule | undefined {
    const path = workspacePath(place);
    const byPlace = path === undefined ? undefined : this.#rules.find(kind, path);
    if (byPlace !== undefined || place.given === undefined) return byPlace;
    return this.#rules.find(kind, place.given);
  }

  #findAny(path: string): PathRule | undefined {
    return this.#rules.find('denyRead', path) ?? this.#rules.find('denyWrite', path);
  }

  #findDeniedInodes(): Set<string> {
    const found = new Set<string>();
    for (const path of pathsBelow(this.#workspace, '', MAX_SEARCHED)) {
      if (path === undefined || this.#rules.find('denyRead', path) === undefined) continue;
      const stat = this.#workspace.lstat(spotOf(path));
      if (stat !== undefined && stat.nlink > 1n && stat.isFile()) found.add(`${stat.dev}:${stat.ino}`);
    }
    return found;
  }
}

/** Relative to the workspace; `undefined` elsewhere, where no rule holds. */
export function workspacePath(place: Place): string | undefined {
  return place.tree.mount === '/workspace' ? pathOf(place) : undefined;
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
