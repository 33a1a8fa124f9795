import type { BigIntStats } from 'node:fs';
import type { DirectTree } from '../direct/direct-tree.js';
import { errnoOf } from '../refusal.js';
import { markName } from '../reserved-name.js';
import { joinDir, type Spot } from '../tree.js';

/** What an overlay remembers about one name of the lower layer. */
export interface Mark {
  /** The path it was made for: a mark that came along with a moved directory no longer speaks of the lower layer here. */
  path: string;
  /** What the lower layer had then, by `baseOf`; `null`: nothing. */
  base: string | null;
}

const MAX_MARK_BYTES = 65_536;

/** Reads and writes marks, small files beside the upper layer's entries. Each is written at once or not at all. */
export class OverlayMarks {
  readonly #upper: DirectTree;

  constructor(upper: DirectTree) {
    this.#upper = upper;
  }

  isGone(at: Spot): boolean {
    return this.#upper.hasReserved({ dir: at.dir, name: markName(at.name, 'gone') });
  }

  /** Hides the lower layer's entry. An older base is kept: it is what the first change was made upon. */
  markGone(at: Spot, base: string | null): void {
    if (this.isGone(at)) return;
    this.#write(at, 'gone', this.read(at)?.base ?? base);
  }

  markBase(at: Spot, base: string | null): void {
    this.#write(at, 'base', base);
  }

  read(at: Spot): Mark | undefined {
    return this.#read(at, 'gone') ?? this.#read(at, 'base');
  }

  dropBase(at: Spot): void {
    const spot = { dir: at.dir, name: markName(at.name, 'base') };
    if (this.#upper.hasReserved(spot)) this.#upper.unlink(spot);
  }

  #read(at: Spot, kind: 'gone' | 'base'): Mark | undefined {
    let bytes: Uint8Array;
    try {
      bytes = this.#upper.readReserved({ dir: at.dir, name: markName(at.name, kind) }, MAX_MARK_BYTES);
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return undefined;
      throw error;
    }
    const mark = JSON.parse(Buffer.from(bytes).toString('utf8')) as Mark;
    return mark.path === joinDir(at.dir, at.name) ? mark : undefined;
  }

  #write(at: Spot, kind: 'gone' | 'base', base: string | null): void {
    const mark: Mark = { path: joinDir(at.dir, at.name), base };
    this.#upper.writeReserved({ dir: at.dir, name: markName(at.name, kind) }, Buffer.from(JSON.stringify(mark)));
  }
}

/** Tells one state of a lower file or link from another. The inode is in it: a replaced file is another file. */
export function baseOf(stat: BigIntStats, linkTarget: string | undefined): string {
  if (linkTarget !== undefined) return `link:${linkTarget}`;
  if (stat.isFile()) return `file:${stat.size}:${stat.mtimeNs}:${stat.ino}`;
  return stat.isDirectory() ? 'directory' : 'other';
}
