import { createHash } from 'node:crypto';
import type { ScanBody, ScannedEntry, TreeEntry } from '../../../sandbox/protocol/tree-operations.js';
import type { Change, CommitResult } from '../contract.js';
import { SandboxError, SandboxUnavailableError } from '../errors.js';
import { EMPTY_PLAN, type EnforcementPlan } from '../plan.js';
import type { AgentConnection } from './agent-connection.js';
import type { Overlay } from './agent-session.js';
import { AgentTree, batches } from './agent-tree.js';
import type { LocalTree } from './local-tree.js';

/** An entry of the workspace as both sides had it when it was copied. */
interface Base {
  origin: ScannedEntry;
  /** Of the copy: as long as it stays, the copy is untouched. */
  version: string;
}

interface Difference {
  path: string;
  kind: Change['kind'];
  /** As it is now; absent for what was deleted. */
  now?: ScannedEntry;
  base?: Base;
  content?: Uint8Array;
}

const MAX_TEXT_BYTES = 1024 * 1024;

/**
 * A workspace copied into the container over the agent's stream, and its changes out again. Works with any engine, local
 * or not. The origin is only written by `commit()`, through a gated helper of the host's own.
 */
export class OverlayCopy implements Overlay {
  readonly #origin: LocalTree;
  readonly #copy: AgentTree;
  readonly #plan: EnforcementPlan;
  #base = new Map<string, Base>();

  /** @param plan what it denies to read is never copied */
  constructor(origin: LocalTree, connection: AgentConnection, plan: EnforcementPlan) {
    this.#origin = origin;
    this.#copy = new AgentTree(connection);
    this.#plan = plan;
  }

  async fill({ entries, special }: ScanBody): Promise<void> {
    await this.#send(entries);
    await this.#copy.standIn(special);
    await this.#remember(entries);
  }

  async changes(): Promise<Change[]> {
    const differences = await this.#differences();
    const before = await this.#originTexts(differences);
    return differences.map(({ path, kind, now, base, content }) => {
      const entry = now ?? base?.origin;
      const change: Change = {
        path,
        kind,
        type: entry?.type ?? 'file',
        ...(entry === undefined ? {} : { mode: entry.mode }),
      };
      const was = before.get(path);
      const is = now?.type === 'symlink' ? now.target : content === undefined ? undefined : textOf(content);
      if (was !== undefined && (kind === 'deleted' || is !== undefined)) change.before = was;
      if (is !== undefined && (kind === 'added' || was !== undefined)) change.after = is;
      return change;
    });
  }

  async commit(plan: EnforcementPlan): Promise<CommitResult> {
    const differences = await this.#differences();
    await this.#requireFresh(differences);
    await this.#requireAllowed(differences, plan);
    const gone = differences.filter(
      ({ now, base }) => now === undefined || (base !== undefined && base.origin.type !== now.type),
    );
    await this.#origin.drop(gone.map(({ path }) => path));
    const kept = differences.flatMap(({ now }) => (now === undefined ? [] : [now]));
    const contents = new Map(
      differences.flatMap(({ path, content }) => (content === undefined ? [] : [[path, content] as const])),
    );
    for (const batch of batches(kept)) await this.#origin.unpack(batch, contents);
    const { entries } = await this.#origin.scan(this.#plan, true);
    await this.#remember(entries);
    const count = (kind: Change['kind']) => differences.filter((difference) => difference.kind === kind).length;
    return { added: count('added'), modified: count('modified'), deleted: count('deleted') };
  }

  async discard(): Promise<void> {
    const differences = await this.#differences();
    await this.#copy.drop(differences.flatMap(({ path, kind }) => (kind === 'added' ? [path] : [])));
    const back = differences.flatMap(({ base }) => (base === undefined ? [] : [base.origin]));
    await this.#send(back);
    await this.#remember([...this.#base.values()].map(({ origin }) => origin));
  }

  async #send(entries: readonly ScannedEntry[]): Promise<void> {
    for (const batch of batches(entries)) {
      const files = batch.filter(({ type }) => type === 'file').map(({ path }) => path);
      const packed = await this.#origin.pack(files);
      const contents = new Map<string, Uint8Array>();
      const gone = new Set<string>();
      for (const [index, path] of files.entries()) {
        const bytes = packed[index];
        if (bytes === undefined) gone.add(path);
        else contents.set(path, bytes);
      }
      await this.#copy.unpack(
        batch.filter(({ path }) => !gone.has(path)),
        contents,
      );
    }
  }

  /** Pairs what the origin had with what the copy has now. */
  async #remember(origin: readonly ScannedEntry[]): Promise<void> {
    const { entries } = await this.#copy.scan(EMPTY_PLAN, false);
    const copied = new Map(entries.map((entry) => [entry.path, entry]));
    this.#base = new Map(
      origin.flatMap((entry) => {
        const copy = copied.get(entry.path);
        return copy === undefined ? [] : [[entry.path, { origin: entry, version: copy.version }] as const];
      }),
    );
  }

  async #differences(): Promise<Difference[]> {
    const { entries } = await this.#copy.scan(EMPTY_PLAN, false);
    const now = new Map(entries.map((entry) => [entry.path, entry]));
    const touched = entries.filter(
      (entry) => entry.type === 'file' && this.#base.get(entry.path)?.version !== entry.version,
    );
    const contents = await this.#contents(touched);
    const differences: Difference[] = [];
    for (const entry of entries) {
      const base = this.#base.get(entry.path);
      const content = contents.get(entry.path);
      if (base === undefined)
        differences.push({ path: entry.path, kind: 'added', now: entry, ...(content && { content }) });
      else if (isChanged(base.origin, entry, content))
        differences.push({ path: entry.path, kind: 'modified', now: entry, base, ...(content && { content }) });
    }
    for (const [path, base] of this.#base) if (!now.has(path)) differences.push({ path, kind: 'deleted', base });
    return differences.sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  async #contents(entries: readonly TreeEntry[]): Promise<Map<string, Uint8Array>> {
    const contents = new Map<string, Uint8Array>();
    for (const batch of batches(entries)) {
      const paths = batch.map(({ path }) => path);
      const packed = await this.#copy.pack(paths);
      for (const [index, path] of paths.entries()) {
        const bytes = packed[index];
        if (bytes !== undefined) contents.set(path, new Uint8Array(bytes));
      }
    }
    return contents;
  }

  async #originTexts(differences: readonly Difference[]): Promise<Map<string, string>> {
    const texts = new Map<string, string>();
    const files: string[] = [];
    for (const { path, base } of differences) {
      if (base?.origin.type === 'symlink' && base.origin.target !== undefined) texts.set(path, base.origin.target);
      if (base?.origin.type === 'file' && base.origin.size <= MAX_TEXT_BYTES) files.push(path);
    }
    for (let from = 0; from < files.length; from += 16) {
      const some = files.slice(from, from + 16);
      for (const [index, bytes] of (await this.#origin.pack(some)).entries()) {
        const text = bytes === undefined ? undefined : textOf(bytes);
        if (text !== undefined) texts.set(some[index] ?? '', text);
      }
    }
    return texts;
  }

  async #requireFresh(differences: readonly Difference[]): Promise<void> {
    const { entries } = await this.#origin.scan(this.#plan, true);
    const present = new Map(entries.map((entry) => [entry.path, entry]));
    const stale = differences.filter(({ path, base }) => {
      const entry = present.get(path);
      if (base === undefined) return entry !== undefined && entry.type !== 'directory';
      if (entry === undefined) return true;
      return entry.type !== base.origin.type || entry.hash !== base.origin.hash || entry.target !== base.origin.target;
    });
    if (stale.length === 0) return;
    const names = stale
      .slice(0, 10)
      .map(({ path }) => `'${path}'`)
      .join(', ');
    throw new SandboxError(
      'stale_file',
      `Cannot commit: ${names}${stale.length > 10 ? ` and ${stale.length - 10} more` : ''} changed in the origin meanwhile; nothing was written. Look at both versions, then start a new session`,
    );
  }

  async #requireAllowed(differences: readonly Difference[], plan: EnforcementPlan): Promise<void> {
    if (plan.denyWrite.length === 0 && plan.denyRead.length === 0) return;
    const changed = new Set(differences.map(({ path }) => path));
    const { entries } = await this.#copy.named({ denyRead: [], denyWrite: [...plan.denyWrite, ...plan.denyRead] });
    const denied = entries.find(({ path }) => changed.has(path));
    if (denied === undefined) return;
    throw new SandboxError(
      'access_denied',
      `Cannot commit '${denied.path}': denied by the rule '${denied.rule}'; nothing was written`,
      {
        path: denied.path,
      },
    );
  }
}

/** A directory counts as changed only by its mode: what is in it speaks for itself. */
function isChanged(origin: ScannedEntry, now: ScannedEntry, content: Uint8Array | undefined): boolean {
  if (origin.type !== now.type || origin.mode !== now.mode || origin.target !== now.target) return true;
  if (now.type !== 'file' || content === undefined) return false;
  return createHash('sha256').update(content).digest('hex') !== origin.hash;
}

function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.length > MAX_TEXT_BYTES || bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Refuses early what could not be copied.
 * @throws SandboxUnavailableError naming the biggest directories
 */
export function requireCopyable({ entries, large }: ScanBody, maxBytes: number): number {
  if (large.length > 0) {
    throw new SandboxUnavailableError(
      `Cannot copy this workspace: '${large.slice(0, 3).join("', '")}' ${large.length === 1 ? 'is' : 'are'} over 64 MiB. Deny ${large.length === 1 ? 'it' : 'them'} to be read, or use workspaceMode 'direct'`,
      { code: 'unsupported' },
    );
  }
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  if (total <= maxBytes) return total;
  const sums = new Map<string, number>();
  for (const { path, size } of entries) {
    const top = path.includes('/') ? (path.split('/', 1)[0] ?? path) : path;
    sums.set(top, (sums.get(top) ?? 0) + size);
  }
  const biggest = [...sums]
    .sort(([, one], [, other]) => other - one)
    .slice(0, 3)
    .map(([name, size]) => `'${name}' (${Math.ceil(size / 1024 / 1024)} MiB)`);
  throw new SandboxUnavailableError(
    `Cannot copy this workspace: it has ${Math.ceil(total / 1024 / 1024)} MiB, at most ${Math.floor(maxBytes / 1024 / 1024)} MiB fit. The biggest: ${biggest.join(', ')}. Raise 'limits.memoryBytes' and 'limits.maxDiskBytes', deny these directories to be read, or use workspaceMode 'direct'`,
    { code: 'unsupported' },
  );
}
