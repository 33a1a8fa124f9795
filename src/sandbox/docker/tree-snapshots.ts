import { randomUUID } from 'node:crypto';
import type { ScannedEntry } from '../../../sandbox/protocol/tree-operations.js';
import type { SnapshotId } from '../contract.js';
import { SandboxError } from '../errors.js';
import { EMPTY_PLAN } from '../plan.js';
import { type AgentTree, batches } from './agent-tree.js';

interface Snapshot {
  entries: ScannedEntry[];
  contents: Map<string, Uint8Array>;
  bytes: number;
}

const MAX_BYTES = 512 * 1024 * 1024;

/** Copies of a workspace's files, kept by the host for as long as its session lives. */
export class TreeSnapshots {
  readonly #snapshots = new Map<string, Snapshot>();

  /** @throws SandboxError `quota_exceeded` when all snapshots together would have over 512 MiB */
  async take(tree: AgentTree): Promise<SnapshotId> {
    const { entries } = await tree.scan(EMPTY_PLAN, false);
    const bytes = entries.reduce((sum, { size }) => sum + size, 0);
    const kept = [...this.#snapshots.values()].reduce((sum, snapshot) => sum + snapshot.bytes, 0);
    if (bytes + kept > MAX_BYTES) {
      throw new SandboxError(
        'quota_exceeded',
        'Cannot take a snapshot: all snapshots of a session together may have 512 MiB',
      );
    }
    const contents = new Map<string, Uint8Array>();
    for (const batch of batches(entries.filter(({ type }) => type === 'file'))) {
      const packed = await tree.pack(batch.map(({ path }) => path));
      for (const [index, { path }] of batch.entries())
        contents.set(path, new Uint8Array(packed[index] ?? new Uint8Array(0)));
    }
    const id = randomUUID();
    this.#snapshots.set(id, { entries, contents, bytes });
    return { id };
  }

  /** @throws SandboxError `not_found` for a snapshot that this session has not taken */
  async restore(tree: AgentTree, { id }: SnapshotId): Promise<void> {
    const snapshot = this.#snapshots.get(id);
    if (snapshot === undefined)
      throw new SandboxError('not_found', 'Cannot restore: this session has no such snapshot');
    const then = new Map(snapshot.entries.map((entry) => [entry.path, entry]));
    const { entries } = await tree.scan(EMPTY_PLAN, false);
    const present = new Map(entries.map((entry) => [entry.path, entry]));
    await tree.drop(entries.filter(({ path, type }) => then.get(path)?.type !== type).map(({ path }) => path));
    // What is as it was then stays as it is.
    const changed = snapshot.entries.filter(
      ({ path, version, type }) => type === 'directory' || present.get(path)?.version !== version,
    );
    for (const batch of batches(changed)) await tree.unpack(batch, snapshot.contents);
  }
}
