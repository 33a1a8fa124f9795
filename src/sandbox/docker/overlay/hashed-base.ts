import type { ScannedEntry } from '../../../../sandbox/protocol/tree-operations.js';
import type { EnforcementPlan } from '../../plan.js';
import type { LocalTree } from '../agent/local-tree.js';
import type { Base } from './tree-state.js';

/** Hashes are for telling a file that was only touched from one that changed: a service, so it has bounds. */
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;
const BATCH_FILES = 100;

/** The session's first command should not have to share the processor with it. */
const PAUSE_MS = 1_000;

/**
 * What a workspace was like when its session began. Nobody waits for it: the names, sizes and times are there soon, and
 * the contents of small files are hashed while there is nothing else to do.
 */
export class HashedBase {
  readonly found: Promise<Map<string, Base>>;
  readonly #origin: LocalTree;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(origin: LocalTree, plan: EnforcementPlan) {
    this.#origin = origin;
    this.found = origin
      .scan(plan, false)
      .then(({ entries }) => new Map(entries.map((entry) => [entry.path, { origin: entry }])));
    this.found.then(
      (base) => this.#hashLater([...base.values()].map(({ origin: entry }) => entry)),
      () => {},
    );
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #hashLater(entries: readonly ScannedEntry[]): void {
    let left = MAX_BYTES;
    const files = entries.filter(({ type, size }) => {
      if (type !== 'file' || size > Math.min(left, MAX_FILE_BYTES)) return false;
      left -= size;
      return true;
    });
    if (this.#stopped || files.length === 0) return;
    this.#timer = setTimeout(() => void this.#hash(files).catch(() => {}), PAUSE_MS);
    this.#timer.unref();
  }

  async #hash(files: readonly ScannedEntry[]): Promise<void> {
    for (let from = 0; from < files.length && !this.#stopped; from += BATCH_FILES) {
      const some = files.slice(from, from + BATCH_FILES);
      const hashes = await this.#origin.hash(some.map(({ path }) => path));
      for (const [index, entry] of some.entries()) {
        const hashed = hashes[index];
        // It may have changed before its turn came.
        if (hashed?.version === entry.version) entry.hash = hashed.hash;
      }
    }
  }
}
