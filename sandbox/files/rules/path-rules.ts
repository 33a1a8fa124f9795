import picomatch from 'picomatch';
import type { EnforcementPlan, PathRule } from '../../protocol/plan.js';
import { negateClasses } from '../negate-classes.js';
import { foldPath } from './fold-path.js';

export type RuleKind = 'denyRead' | 'denyWrite';

interface CompiledRule {
  rule: PathRule;
  matches(folded: string): boolean;
  /** The folded directory part before the first special character, '' when there is none. */
  literalPrefix: string;
  /** Whether the rule names things below a directory because of that directory's own name. */
  leadsThrough(folded: string): boolean;
  /** The same, or because of the name of a directory above it. */
  reachesThrough(folded: string): boolean;
}

const INSTALLED = /(^|\/)node_modules\/./;

/** The plan's rules, asked by path relative to the workspace. Rules are only ever added. */
export class PathRules {
  readonly #rules: Record<RuleKind, CompiledRule[]> = { denyRead: [], denyWrite: [] };

  get empty(): boolean {
    return this.#rules.denyRead.length === 0 && this.#rules.denyWrite.length === 0;
  }

  add(plan: EnforcementPlan): void {
    for (const rule of plan.denyRead) this.#rules.denyRead.push(compile(rule));
    for (const rule of plan.denyWrite) this.#rules.denyWrite.push(compile(rule));
  }

  has(kind: RuleKind): boolean {
    return this.#rules[kind].length > 0;
  }

  /** The first rule that holds for the path. */
  find(kind: RuleKind, path: string): PathRule | undefined {
    const rules = this.#rules[kind];
    if (rules.length === 0) return undefined;
    const folded = foldPath(path);
    return rules.find((rule) => rule.matches(folded))?.rule;
  }

  /** The first rule that keeps the path from going with the directory that it is in. */
  findKeeping(path: string): PathRule | undefined {
    const folded = foldPath(path);
    const isInstalled = INSTALLED.test(path);
    return this.#rules.denyWrite.find(
      ({ rule, matches }) => !(isInstalled && rule.sparesInstalled === true) && matches(folded),
    )?.rule;
  }

  /**
   * The first rule that names something below the directory, there or not: `.git` cannot be moved away to write what
   * will be `.git/hooks/x`, and be moved back.
   */
  findBelow(path: string): PathRule | undefined {
    const prefix = `${foldPath(path)}/`;
    const names = (rule: CompiledRule) => rule.literalPrefix.startsWith(prefix);
    return (this.#rules.denyWrite.find(names) ?? this.#rules.denyRead.find(names))?.rule;
  }

  /** Whether a rule names something below the directory that it would not name were the directory called otherwise. */
  leadThrough(kind: RuleKind, directory: string): boolean {
    const folded = foldPath(directory);
    return this.#rules[kind].some((rule) => rule.leadsThrough(folded));
  }

  /**
   * The first write rule that a link of this name would lead around, whatever it leads to: below `.github` stands what
   * `.github/workflows/**` names, and it can be filled by its other name.
   */
  findThrough(path: string): PathRule | undefined {
    const folded = foldPath(path);
    return this.#rules.denyWrite.find((rule) => rule.leadsThrough(folded))?.rule;
  }

  /**
   * Whether a rule may name, below a directory or a link of this name, what it would not name were that called otherwise:
   * what it does not name where the link leads, or where the directory is moved to.
   */
  mayReachThrough(kind: RuleKind, path: string): boolean {
    return this.findReaching(kind, path) !== undefined;
  }

  /** The first such rule. */
  findReaching(kind: RuleKind, path: string): PathRule | undefined {
    const folded = foldPath(path);
    return this.#rules[kind].find((rule) => rule.reachesThrough(folded))?.rule;
  }

  /** Whether a rule may name something in this directory, as far as its path before the first special character says. */
  mayNameBelow(kind: RuleKind, directory: string): boolean {
    const at = `${foldPath(directory)}/`;
    return this.#rules[kind].some(({ literalPrefix: prefix }) => {
      const place = prefix === '' ? '' : `${prefix}/`;
      return place.startsWith(at) || at.startsWith(place);
    });
  }
}

function compile(rule: PathRule): CompiledRule {
  const glob = foldPath(rule.glob.replace(/^\/+/, ''));
  const matches = matcher(glob);
  let through: ((folded: string) => boolean)[] | undefined;
  let reached: ((folded: string) => boolean)[] | undefined;
  return {
    rule,
    matches: (folded) => folded !== '' && (folded === glob || matches(folded)),
    literalPrefix: literalPrefix(glob),
    leadsThrough: (folded) => {
      through ??= directoriesOf(glob).map(matcher);
      return through.some((leads) => leads(folded));
    },
    reachesThrough: (folded) => {
      reached ??= prefixesOf(glob).map(matcher);
      return reached.some((leads) => leads(folded));
    },
  };
}

function matcher(glob: string): (folded: string) => boolean {
  // `s`: a line break in a name must not hide it from `**`.
  return picomatch(negateClasses(glob), { dot: true, nocase: true, nonegate: true, windows: false, flags: 'is' });
}

/** The directories on the way that a glob names: `a` and `a/b` of `a/b/c`, `**\/a` of `**\/a/**`. */
function directoriesOf(glob: string): string[] {
  const parts = glob.split('/');
  return parts.slice(0, -1).flatMap((part, index) => (part === '**' ? [] : [parts.slice(0, index + 1).join('/')]));
}

/** These, and `a/**` of `a/**\/c`: below it the rule depends on the name of a directory above. */
function prefixesOf(glob: string): string[] {
  const parts = glob.split('/');
  const prefixes = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1));
  return prefixes.filter((prefix) => prefix.some((part) => part !== '**')).map((prefix) => prefix.join('/'));
}

function literalPrefix(glob: string): string {
  const special = glob.search(/[*?[\]{}()!+@\\|]/);
  if (special === -1) return glob;
  const slash = glob.lastIndexOf('/', special);
  return slash === -1 ? '' : glob.slice(0, slash);
}
