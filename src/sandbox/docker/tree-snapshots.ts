import { randomUUID } from 'node:crypto';
import { PART_BYTES, type ScannedEntry } from '../../../sandbox/protocol/tree-operations.js';
import type { SnapshotId } from '../contract.js';
import { SandboxError } from '../errors.js';
import { EMPTY_PLAN } from '../plan.js';
import { type AgentTree, batches } from './agent/agent-tree.js';
import type { Overlay } from './open-agent.js';
import { dropThrough, openUnlisted } from './overlay/drop-through.js';
import { isLarge, readSmall, type TreeSource, transferEntries } from './overlay/transfer-entries.js';

export interface TreeInventory {
  entries: ScannedEntry[];
  /** Files whose content is what the origin has, with their version there; absent where there is no origin. */
  origins?: ReadonlyMap<string, string>;
  /** All that the origin has, whatever the sandbox has of it. */
  present?: ReadonlyMap<string, ScannedEntry>;
}

interface Snapshot {
  entries: ScannedEntry[];
  contents: Map<string, Uint8Array>;
  /** Of files whose content was not copied, because the origin has it. */
  origins: ReadonlyMap<string, string>;
}

const MAX_BYTES = 512 * 1024 * 1024;

/** Copies of a workspace's files, kept by the host for as long as its session lives. What an overlay's origin has is not copied. */
export class TreeSnapshots {
  readonly #snapshots = new Map<string, Snapshot>();

  /** @throws SandboxError `quota_exceeded` when all snapshots together would have over 512 MiB */
  async take(tree: AgentTree, overlay: Overlay | undefined): Promise<SnapshotId> {
    const { entries, origins = new Map() } = await inventoryOf(tree, overlay);
    const copied = entries.filter(({ path, type }) => type === 'file' && !origins.has(path));
    this.#requireRoom(copied);
    const contents = await readAll(tree, copied);
    const id = randomUUID();
    this.#snapshots.set(id, { entries, contents, origins });
    return { id };
  }

  /**
   * Before the origin changes: what a snapshot left there is copied after all.
   * @throws SandboxError `quota_exceeded`
   */
  async keep(origin: TreeSource, paths: readonly string[]): Promise<void> {
    const changing = new Set(paths);
    for (const snapshot of this.#snapshots.values()) {
      const files = snapshot.entries.filter(
        ({ path }) => changing.has(path) && snapshot.origins.has(path) && !snapshot.contents.has(path),
      );
      this.#requireRoom(files);
      for (const [path, bytes] of await readAll(origin, files)) snapshot.contents.set(path, bytes);
    }
  }

  /**
   * @throws SandboxError `not_found` for a snapshot that this session has not taken, `stale_file` where it needs a file of
   * the origin that is no more
   */
  async restore(
    { id }: SnapshotId,
    { tree, overlay }: { tree: AgentTree; overlay: Overlay | undefined },
  ): Promise<void> {
    const snapshot = this.#snapshots.get(id);
    if (snapshot === undefined)
      throw new SandboxError('not_found', 'Cannot restore: this session has no such snapshot');
    const then = new Map(snapshot.entries.map((entry) => [entry.path, entry]));
    const { entries, present: origin } = await openedInventoryOf(tree, overlay);
    const present = new Map(entries.map((entry) => [entry.path, entry]));
    // What is as it was then stays as it is.
    const changed = snapshot.entries.filter(
      ({ path, version, type }) => type === 'directory' || present.get(path)?.version !== version,
    );
    const isKept = ({ path, type }: ScannedEntry) => type !== 'file' || snapshot.contents.has(path);
    const left = changed.filter((entry) => !isKept(entry));
    const lost = left.find(({ path }) => origin?.get(path)?.version !== snapshot.origins.get(path));
    if (lost !== undefined) throw stale(lost.path);
    await dropThrough(
      tree,
      entries.filter(({ path, type }) => then.get(path)?.type !== type).map(({ path }) => path),
    );
    await transferEntries(new Memory(snapshot.contents), tree, changed.filter(isKept));
    const unread = overlay === undefined ? [] : await transferEntries(overlay.origin, tree, left);
    if (unread[0] !== undefined) throw stale(unread[0]);
  }

  #requireRoom(files: readonly ScannedEntry[]): void {
    let bytes = files.reduce((sum, { size }) => sum + size, 0);
    for (const { contents } of this.#snapshots.values())
      for (const content of contents.values()) bytes += content.length;
    if (bytes <= MAX_BYTES) return;
    throw new SandboxError(
      'quota_exceeded',
      'Cannot take a snapshot: all snapshots of a session together may have 512 MiB',
    );
  }
}

function stale(path: string): SandboxError {
  return new SandboxError(
    'stale_file',
    `Cannot restore '${path}': it was the origin's, which changed meanwhile. Nothing else can bring it back`,
    { path },
  );
}

async function inventoryOf(tree: AgentTree, overlay: Overlay | undefined): Promise<TreeInventory> {
  return overlay === undefined ? await tree.scan(EMPTY_PLAN, false) : await overlay.inventory();
}

/** What came later into a directory that a command closed to its owner has to be seen too. */
async function openedInventoryOf(tree: AgentTree, overlay: Overlay | undefined): Promise<TreeInventory> {
  let inventory = await inventoryOf(tree, overlay);
  while (await openUnlisted(tree, inventory.entries)) inventory = await inventoryOf(tree, overlay);
  return inventory;
}

async function readAll(tree: TreeSource, files: readonly ScannedEntry[]): Promise<Map<string, Uint8Array>> {
  const contents = new Map<string, Uint8Array>();
  for (const batch of batches(files.filter((file) => !isLarge(file))))
    for (const [path, bytes] of (await readSmall(tree, batch)).contents) contents.set(path, bytes);
  for (const { path, size } of files.filter(isLarge)) {
    const parts: Uint8Array[] = [];
    for (let offset = 0; offset < size; ) {
      const { bytes } = await tree.readPart(path, offset);
      if (bytes.length === 0) break;
      parts.push(new Uint8Array(bytes));
      offset += bytes.length;
    }
    contents.set(path, Buffer.concat(parts));
  }
  return contents;
}

/** A snapshot's files, as a tree that they are read from. */
class Memory implements TreeSource {
  readonly #contents: ReadonlyMap<string, Uint8Array>;

  constructor(contents: ReadonlyMap<string, Uint8Array>) {
    this.#contents = contents;
  }

  async pack(paths: readonly string[]): Promise<(Uint8Array | undefined)[]> {
    return paths.map((path) => this.#contents.get(path));
  }

  async readPart(path: string, offset: number): Promise<{ bytes: Uint8Array; version: string }> {
    const bytes = this.#contents.get(path)?.subarray(offset, offset + PART_BYTES) ?? new Uint8Array(0);
    return { bytes, version: '' };
  }
}
