import { dirname } from 'node:path/posix';
import type { ScannedEntry, UnnamedEntry } from '../../../../sandbox/protocol/tree-operations.js';
import type { Change, CommitResult } from '../../contract.js';
import { SandboxError } from '../../errors.js';
import { EMPTY_PLAN, type EnforcementPlan } from '../../plan.js';
import type { AgentTree } from '../agent/agent-tree.js';
import type { LocalTree } from '../agent/local-tree.js';
import type { Overlay } from '../open-agent.js';
import type { TreeInventory } from '../tree-snapshots.js';
import { describeChanges } from './describe-changes.js';
import { closedAround, dropThrough } from './drop-through.js';
import { requireFresh } from './find-stale.js';
import { directoriesWithUnseen, requireReplaceable, withoutKept } from './kept-directories.js';
import { isLarge, type TreeSource, transferEntries } from './transfer-entries.js';
import {
  type Base,
  byPath,
  compareTrees,
  contentOfOrigin,
  type Difference,
  stampOf,
  type TreeState,
} from './tree-state.js';

export interface OverlayParts {
  form: Overlay['form'];
  /** Only written by `commit()`. */
  origin: LocalTree;
  /** The sandbox's side. */
  copy: AgentTree;
  /** What it denies to read is neither compared nor written. */
  plan: EnforcementPlan;
  /** What the origin was like when the sandbox first saw it. */
  base: Promise<Map<string, Base>>;
  /** Paths that have an empty stand-in on the sandbox's side. */
  hidden?: readonly string[];
}

/**
 * A workspace whose changes are kept apart from its origin, whether the sandbox has a copy of it or looks through to it.
 * Both sides are looked at by file helpers behind the gate: the host itself follows no path that a container can write.
 */
export class OverlayWorkspace implements Overlay {
  readonly form: Overlay['form'];
  readonly #origin: LocalTree;
  readonly #copy: AgentTree;
  readonly #plan: EnforcementPlan;
  readonly #hidden: ReadonlySet<string>;
  #base: Promise<Map<string, Base>>;

  constructor({ form, origin, copy, plan, base, hidden = [] }: OverlayParts) {
    this.form = form;
    this.#origin = origin;
    this.#copy = copy;
    this.#plan = plan;
    this.#base = base;
    this.#hidden = new Set(hidden);
  }

  async changes(plan: EnforcementPlan): Promise<Change[]> {
    const state = await this.#look();
    const differences = withoutKept(await this.#differences(state), state.kept);
    const closed = new Set(await this.#deniedReads(this.#withLinked(plan), pathsOf(differences)));
    return await describeChanges(differences, { origin: this.#origin, copy: this.#copy, closed });
  }

  async commit(
    plan: EnforcementPlan,
    beforeWriting: (paths: readonly string[]) => Promise<void>,
  ): Promise<CommitResult> {
    const state = await this.#look();
    const differences = withoutKept(await this.#differences(state), state.kept);
    requireNames(state);
    requireReplaceable(differences, state.kept);
    await requireFresh(this.#origin, differences, state);
    await this.#requireAllowed(differences, this.#withLinked(plan), state);
    const kept = differences.flatMap(({ now }) => now ?? []);
    const hashes = await this.#requireReadable(kept, state);
    await beforeWriting(pathsOf(differences));
    await this.#origin.drop(pathsOf(differences.filter(({ now, was }) => was !== undefined && now?.type !== was.type)));
    const unread = await transferEntries(this.#copy, this.#origin, kept);
    if (unread.length > 0) throw unreadable(unread);
    await this.#becomeBase(hashes);
    const count = (kind: Change['kind']) => differences.filter((difference) => difference.kind === kind).length;
    return { added: count('added'), modified: count('modified'), deleted: count('deleted') };
  }

  async discard(): Promise<void> {
    const state = await this.#look();
    const differences = await this.#differences(state);
    const wrong = differences.filter(({ now, was }) => now !== undefined && was?.type !== now.type);
    await dropThrough(this.#copy, pathsOf(wrong));
    await transferEntries(this.#origin, this.#copy, [
      ...closedAround(pathsOf(differences), state.present),
      ...differences.flatMap(({ was }) => was ?? []),
    ]);
    await this.#hideAgain(state);
    await this.#becomeBase(new Map());
  }

  async inventory(): Promise<TreeInventory> {
    const state = await this.#look();
    return { entries: [...state.merged.values()], origins: contentOfOrigin(state), present: state.present };
  }

  get origin(): TreeSource {
    return this.#origin;
  }

  /** What denied names led to through links at the start is known here alone. */
  #withLinked(plan: EnforcementPlan): EnforcementPlan {
    const linked = this.#plan.denyRead.filter((rule) => !plan.denyRead.includes(rule));
    return { ...plan, denyRead: [...plan.denyRead, ...linked] };
  }

  async #look(): Promise<TreeState> {
    const [base, origin, copy] = await Promise.all([
      this.#base,
      this.#origin.scan(this.#plan, false),
      this.#copy.scan(EMPTY_PLAN, false),
    ]);
    const merged = byName(copy.entries);
    for (const path of this.#hidden) {
      const entry = merged.get(path);
      // As long as nothing was put there; what was, is a change that no rule lets out.
      if (entry?.type === 'file' && entry.size === 0) merged.delete(path);
    }
    const present = byName(origin.entries);
    for (const path of await this.#shownThrough(merged, { base, present })) merged.delete(path);
    return {
      base,
      present,
      merged,
      closed: copy.closed,
      kept: directoriesWithUnseen(origin),
      unnamed: this.form === 'copy' ? copy.unnamed : othersThan(origin.unnamed, copy.unnamed),
    };
  }

  /** What the host made meanwhile under a name that no command may read: nothing that the sandbox did. */
  async #shownThrough(
    merged: ReadonlyMap<string, ScannedEntry>,
    { base, present }: Pick<TreeState, 'base' | 'present'>,
  ): Promise<string[]> {
    if (this.form === 'copy') return [];
    const added = [...merged.keys()].filter((path) => !present.has(path) && !base.has(path));
    const named = await this.#deniedReads(this.#plan, added);
    if (named.length === 0) return [];
    const there = byName((await this.#origin.scan(EMPTY_PLAN, false)).entries);
    const stamp = (entry: ScannedEntry | undefined) => (entry === undefined ? '' : stampOf(entry.version));
    return named.filter((path) => stamp(there.get(path)) === stamp(merged.get(path)));
  }

  async #deniedReads({ denyRead }: EnforcementPlan, paths: readonly string[]): Promise<string[]> {
    if (denyRead.length === 0 || paths.length === 0) return [];
    const rules = await this.#origin.denied({ denyRead, denyWrite: [] }, paths);
    return paths.filter((_, index) => rules[index] !== null);
  }

  async #differences(state: TreeState): Promise<Difference[]> {
    const { differences, suspects } = compareTrees(state);
    return [...differences, ...(await this.#changedContent(suspects, state))].sort(byPath);
  }

  /** Compared with what the sandbox had at first, where that is known: written back to that, a file is no change. */
  async #changedContent(suspects: readonly Difference[], { base }: TreeState): Promise<Difference[]> {
    const before = ({ path, was }: Difference) => {
      const origin = base.get(path)?.origin;
      return origin?.hash === undefined ? was : origin;
    };
    const sameSize = suspects.filter((suspect) => before(suspect)?.size === suspect.now?.size);
    const unknown = sameSize.filter((suspect) => before(suspect)?.hash === undefined);
    const paths = pathsOf(sameSize);
    const [now, was] = [await this.#copy.hash(paths), await this.#origin.hash(pathsOf(unknown))];
    const wanted = new Map(unknown.map(({ path }, index) => [path, was[index]?.hash]));
    const same = new Set(
      sameSize
        .filter((suspect, index) => {
          const hash = now[index]?.hash;
          return hash !== undefined && hash === (before(suspect)?.hash ?? wanted.get(suspect.path));
        })
        .map(({ path }) => path),
    );
    return suspects.filter(({ path }) => !same.has(path));
  }

  async #requireAllowed(
    differences: readonly Difference[],
    plan: EnforcementPlan,
    { merged }: TreeState,
  ): Promise<void> {
    if (plan.denyWrite.length === 0 && plan.denyRead.length === 0) return;
    const paths = pathsOf(differences);
    // Asked on the trusted side: it is about names alone.
    const links = linksOf(merged.values());
    const rules = await this.#origin.denied(plan, paths, links);
    const spared = new Set(withInstalled(differences));
    const own = { ...plan, denyWrite: plan.denyWrite.filter(({ sparesInstalled }) => sparesInstalled !== true) };
    const kept = spared.size === 0 ? [] : await this.#origin.denied(own, paths, links);
    for (const [index, path] of paths.entries()) if (spared.has(path)) rules[index] = kept[index] ?? null;
    const first = rules.findIndex((rule) => rule !== null);
    if (first === -1) return;
    const path = paths[first] ?? '';
    throw new SandboxError(
      'access_denied',
      `Cannot commit '${path}': denied by the rule '${rules[first]}'; nothing was written`,
      { path },
    );
  }

  /** Before anything is written. @returns the hash of each small file by path */
  async #requireReadable(kept: readonly ScannedEntry[], { closed, present }: TreeState): Promise<Map<string, string>> {
    const files = kept.filter(({ type }) => type === 'file');
    const small = pathsOf(files.filter((entry) => !isLarge(entry)));
    const hashes = await this.#copy.hash(small);
    const unread = small.filter((_, index) => hashes[index] === null);
    for (const { path, size } of files.filter(isLarge))
      await this.#copy.readPart(path, size).catch(() => unread.push(path));
    unread.push(...closed.filter((path) => kept.some((entry) => entry.path === path) || !present.has(path)));
    if (unread.length > 0) throw unreadable(unread);
    return new Map(small.map((path, index) => [path, hashes[index]?.hash ?? '']));
  }

  /** Rules hide these again, should the sandbox have removed or replaced what hid them. */
  async #hideAgain({ merged }: TreeState): Promise<void> {
    if (this.#hidden.size === 0) return;
    const { entries } = await this.#copy.scan(EMPTY_PLAN, false);
    const there = byName(entries);
    const lost = [...this.#hidden].filter((path) => merged.has(path) || !there.has(path));
    await this.#copy.drop(lost.filter((path) => there.has(path)));
    await this.#copy.unpack(
      lost.map((path) => ({ path, type: 'file', mode: 0, size: 0, mtimeMs: 0 })),
      new Map(),
    );
  }

  /** Both sides are the same now, but for what the origin got meanwhile. */
  async #becomeBase(hashes: ReadonlyMap<string, string>): Promise<void> {
    const before = await this.#base;
    const { present, merged } = await this.#look();
    const base = new Map<string, Base>();
    for (const [path, entry] of present) {
      const old = before.get(path);
      const now = merged.get(path);
      // Removed inside and kept by the origin, or new there: nothing that the sandbox has or had.
      if (now === undefined) continue;
      const hash = hashes.get(path) ?? (old?.origin.version === entry.version ? old.origin.hash : undefined);
      base.set(path, { origin: hash === undefined ? entry : { ...entry, hash }, version: now.version });
    }
    this.#base = Promise.resolve(base);
  }
}

function pathsOf(all: readonly { path: string }[]): string[] {
  return all.map(({ path }) => path);
}

/** What went with a directory of installed packages. */
function withInstalled(differences: readonly Difference[]): string[] {
  const gone = new Set(pathsOf(differences.filter(({ now }) => now === undefined)));
  return [...gone].filter((path) => INSTALLED.test(path) && gone.has(dirname(path)));
}

const INSTALLED = /(^|\/)node_modules\/./;

function linksOf(entries: Iterable<ScannedEntry>): Record<string, string> {
  return Object.fromEntries([...entries].flatMap(({ path, target }) => (target === undefined ? [] : [[path, target]])));
}

function byName(entries: readonly ScannedEntry[]): Map<string, ScannedEntry> {
  return new Map(entries.map((entry) => [entry.path, entry]));
}

/** What looks through shows those of the origin as they are there. */
function othersThan(origin: readonly UnnamedEntry[], copy: readonly UnnamedEntry[]): UnnamedEntry[] {
  const stamp = ({ path, version }: UnnamedEntry) => `${path} ${stampOf(version)}`;
  const there = new Set(origin.map(stamp));
  return copy.filter((entry) => !there.has(stamp(entry)));
}

function requireNames({ unnamed: [first] }: TreeState): void {
  if (first === undefined) return;
  const { path } = first;
  throw new SandboxError(
    'invalid_input',
    `Cannot commit '${path}': its name is not valid UTF-8, so no path leads there; nothing was written. Rename it, or remove it`,
    { path },
  );
}

function unreadable(paths: readonly string[]): SandboxError {
  const [first = ''] = paths;
  return new SandboxError(
    'access_denied',
    `Cannot commit '${first}'${paths.length > 1 ? ` and ${paths.length - 1} more` : ''}: it cannot be read. Give its owner the right to read it, or remove it`,
    { path: first },
  );
}
