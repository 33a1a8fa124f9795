import { lstatSync, readdirSync } from 'node:fs';
import { Moved, Refusal } from '../refusal.js';
import type { Gate } from './gate.js';

interface Usage {
  bytes: number;
  entries: number;
}

export interface QuotaLimits {
  maxBytes: number;
  maxEntries: number;
}

/** A refusal needs a count not older than this: another process may have made room. */
const FRESH_MS = 250;

/**
 * Keeps the private directory within its limits without a ledger on disk, which a kill could leave wrong: it counts
 * what is there, then trusts its own sums until they have used a quarter of the room that was left, and counts again.
 * Two processes that write at once can so overshoot by at most a quarter of the room that both saw.
 */
export class Quota {
  readonly #gate: Gate;
  readonly #root: string;
  readonly #limits: QuotaLimits;
  #counted: Usage | undefined;
  #since: Usage = { bytes: 0, entries: 0 };
  #countedAt = 0;

  constructor(gate: Gate, root: string, limits: QuotaLimits) {
    this.#gate = gate;
    this.#root = root;
    this.#limits = limits;
  }

  /**
   * Makes sure that so much more fits. Leaves the gate elsewhere.
   * @throws `Refusal` `no_space`
   */
  require(bytes: number, entries: number): void {
    if (this.#withinAllowance(bytes, entries)) return;
    if (this.#counted === undefined || performance.now() - this.#countedAt > FRESH_MS || this.#fits(bytes, entries))
      this.#count();
    const { maxBytes, maxEntries } = this.#limits;
    const used = this.#used();
    if (bytes > 0 && used.bytes + bytes > maxBytes) {
      throw new Refusal(
        'no_space',
        `the sandbox may hold ${maxBytes} bytes of its own files (overlay or memory workspace, /tmp, /home/agent), ${used.bytes} are used; remove files or raise 'limits.maxDiskBytes'`,
      );
    }
    if (entries > 0 && used.entries + entries > maxEntries) {
      throw new Refusal(
        'no_space',
        `the sandbox may hold ${maxEntries} files and directories of its own, ${used.entries} exist; remove some or raise 'limits.maxDiskEntries'`,
      );
    }
  }

  /** Notes what was added, or with negative numbers freed. */
  add(bytes: number, entries: number): void {
    this.#since.bytes += bytes;
    this.#since.entries += entries;
  }

  /** The next `require` counts anew. */
  forget(): void {
    this.#counted = undefined;
  }

  #used(): Usage {
    const counted = this.#counted ?? { bytes: 0, entries: 0 };
    return { bytes: counted.bytes + this.#since.bytes, entries: counted.entries + this.#since.entries };
  }

  #fits(bytes: number, entries: number): boolean {
    const used = this.#used();
    return used.bytes + bytes <= this.#limits.maxBytes && used.entries + entries <= this.#limits.maxEntries;
  }

  #withinAllowance(bytes: number, entries: number): boolean {
    if (this.#counted === undefined) return false;
    const freeBytes = this.#limits.maxBytes - this.#counted.bytes;
    const freeEntries = this.#limits.maxEntries - this.#counted.entries;
    return this.#since.bytes + bytes <= freeBytes / 4 && this.#since.entries + entries <= freeEntries / 4;
  }

  #count(): void {
    this.#counted = countTree(this.#gate, this.#root);
    this.#since = { bytes: 0, entries: 0 };
    this.#countedAt = performance.now();
  }
}

function countTree(gate: Gate, root: string): Usage {
  const total = { bytes: 0, entries: 0 };
  const linked = new Set<string>();
  const pending = [root];
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    for (const name of namesIn(gate, directory)) {
      const stat = lstatSync(name, { throwIfNoEntry: false });
      if (stat === undefined) continue;
      total.entries += 1;
      if (stat.isDirectory()) {
        pending.push(`${directory}/${name}`);
        continue;
      }
      if (stat.nlink > 1) {
        const key = `${stat.dev}:${stat.ino}`;
        if (linked.has(key)) continue;
        linked.add(key);
      }
      total.bytes += stat.size;
    }
  }
  return total;
}

function namesIn(gate: Gate, directory: string): string[] {
  try {
    gate.enter(directory);
    return readdirSync('.');
  } catch (error) {
    // Gone or renamed while counting: the other process is at work; its sums are its own.
    if (error instanceof Moved || (error as NodeJS.ErrnoException).code !== undefined) return [];
    throw error;
  }
}
