import { type BigIntStats, closeSync } from 'node:fs';
import type { DirectTree } from '../direct/direct-tree.js';
import { versionOf } from '../file-stat.js';
import { Moved, Refusal } from '../refusal.js';
import {
  type Entry,
  type OpenFile,
  pathOf,
  type SeenSpot,
  type Spot,
  spotOf,
  type Tree,
  type WriteRequest,
} from '../tree.js';
import { baseWithContent } from './lower-base.js';
import type { OverlayMarks } from './overlay-marks.js';

/** Which layers have a directory, as far as the sandbox may see it. */
interface Layers {
  upper: boolean;
  lower: boolean;
}

export interface OverlayOptions {
  upper: DirectTree;
  lower: DirectTree;
  marks: OverlayMarks;
  /** Takes an entry of the upper layer away at once, and deletes it. */
  moveToTrash(at: Spot): void;
  /** Throws where a rule keeps the content of a lower file closed: a copy would be another file, out of the rule's sight. */
  requireCopyable(stat: BigIntStats): void;
}

/**
 * The workspace read through to `lower`, which is never written, with everything written kept in `upper`. What is hidden
 * of the lower layer is marked by reserved names in the upper one (see `OverlayMarks`). Every step is ordered so that a
 * kill between two of them leaves either the state before or the state after: marks are written before what needs them.
 */
export class OverlayTree implements Tree {
  readonly mount = '/workspace' as const;
  readonly upper: DirectTree;
  readonly lower: DirectTree;
  readonly marks: OverlayMarks;
  readonly #moveToTrash: (at: Spot) => void;
  readonly #requireCopyable: (stat: BigIntStats) => void;
  /** Of this operation only; see `reset`. */
  #layers = new Map<string, Layers>();

  constructor(options: OverlayOptions) {
    this.upper = options.upper;
    this.lower = options.lower;
    this.marks = options.marks;
    this.#moveToTrash = options.moveToTrash;
    this.#requireCopyable = options.requireCopyable;
  }

  /** Forgets what it learned: called at the start of each operation. */
  reset(): void {
    this.#layers.clear();
  }

  shortcut(dir: string): string | undefined {
    const { upper, lower } = this.#layersOf(dir);
    return upper || lower ? dir : undefined;
  }

  fromHostPath(path: string): string | undefined {
    return this.lower.fromHostPath(path);
  }

  lstat(at: Spot): BigIntStats | undefined {
    const layers = this.#layersOf(at.dir);
    return (layers.upper ? this.upper.lstat(at) : undefined) ?? this.#lowerStat(at, layers);
  }

  readlink(at: Spot): string {
    return this.#home(at).readlink(at);
  }

  entries(dir: string): Entry[] {
    const layers = this.#layersOf(dir);
    const above = layers.upper ? this.upper.entries(dir) : [];
    if (!layers.lower) return above;
    const names = new Set(above.map((entry) => entry.name));
    const marked = layers.upper && this.upper.hasAnyReserved(dir);
    const below = this.lower
      .entries(dir)
      .filter(({ name }) => !names.has(name) && !(marked && this.marks.isGone({ dir, name })));
    return [...above, ...below];
  }

  open(at: SeenSpot): OpenFile {
    return this.#home(at).open(at);
  }

  write(at: Spot, data: Uint8Array, request: WriteRequest): void {
    const below = this.upperStat(at) === undefined ? this.#lowerStat(at, this.#layersOf(at.dir)) : undefined;
    if (below === undefined) {
      this.#prepare(at);
      this.upper.write(at, data, request);
      return;
    }
    this.#requireVersion(below, request.ifVersion);
    const { ifVersion: _checked, ...rest } = request;
    if (request.append === true) {
      this.#copyUp(at);
      this.upper.write(at, data, rest);
      return;
    }
    // Asked, so that the answer to "may I write this" is the kernel's, as it is without an overlay.
    this.lower.requireWritable(at);
    this.#prepare(at);
    this.upper.write(at, data, { ...rest, mode: request.mode ?? Number(below.mode) & 0o777 });
  }

  receive(at: Spot, source: OpenFile): void {
    this.#prepare(at);
    this.upper.receive(at, source);
  }

  mkdir(at: Spot, mode: number): void {
    if (this.lstat(at) !== undefined) throw new Refusal('exists', 'it already exists');
    this.#makeUpper(at.dir);
    this.upper.mkdir(at, mode);
    this.#layers.clear();
  }

  unlink(at: Spot): void {
    this.#hideLower(at);
    if (this.upperStat(at) !== undefined) this.upper.unlink(at);
    this.marks.dropBase(at);
  }

  rmdir(at: Spot): void {
    if (this.entries(pathOf(at)).length > 0) throw new Refusal('not_empty', 'the directory is not empty');
    this.removeTree(at);
  }

  removeTree(at: Spot): void {
    this.#hideLower(at);
    if (this.upperStat(at) !== undefined) this.#moveToTrash(at);
    this.#layers.clear();
  }

  rename(from: Spot, to: Spot): void {
    const stat = this.lstat(from);
    if (stat === undefined) throw new Moved();
    if (stat.isDirectory()) this.#materialise(from);
    else this.#copyUp(from);
    this.#prepare(to);
    // A directory that takes the place of a lower one must not show what was in that.
    if (stat.isDirectory()) {
      this.#hideLower(to);
      if (this.upperStat(to) !== undefined) this.#moveToTrash(to);
    }
    this.#hideLower(from);
    this.upper.rename(from, to);
    this.marks.dropBase(from);
    this.#layers.clear();
  }

  link(existing: Spot, at: Spot): void {
    if (this.lstat(at) !== undefined) throw new Refusal('exists', 'it already exists');
    this.#copyUp(existing);
    this.#prepare(at);
    this.upper.link(existing, at);
  }

  symlink(target: string, at: Spot): void {
    if (this.lstat(at) !== undefined) throw new Refusal('exists', 'it already exists');
    this.#prepare(at);
    this.upper.symlink(target, at);
  }

  chmod(at: Spot, mode: number): void {
    this.#copyUp(at);
    this.upper.chmod(at, mode);
  }

  utimes(at: Spot, atimeMs: number, mtimeMs: number): void {
    this.#copyUp(at);
    this.upper.utimes(at, atimeMs, mtimeMs);
  }

  upperStat(at: Spot): BigIntStats | undefined {
    return this.#layersOf(at.dir).upper ? this.upper.lstat(at) : undefined;
  }

  /** Whether anything in the directory can differ from the lower layer. */
  upperHas(dir: string): boolean {
    return this.#layersOf(dir).upper;
  }

  #home(at: Spot): DirectTree {
    return this.upperStat(at) === undefined ? this.lower : this.upper;
  }

  #lowerStat(at: Spot, layers: Layers): BigIntStats | undefined {
    if (!layers.lower || (layers.upper && this.marks.isGone(at))) return undefined;
    return this.lower.lstat(at);
  }

  #layersOf(dir: string): Layers {
    if (dir === '') return { upper: true, lower: true };
    const known = this.#layers.get(dir);
    if (known !== undefined) return known;
    const at = spotOf(dir);
    const found = this.#layersBelow(at, this.#layersOf(at.dir));
    this.#layers.set(dir, found);
    return found;
  }

  #layersBelow(at: Spot, parent: Layers): Layers {
    const above = parent.upper ? this.upper.lstat(at) : undefined;
    if (above !== undefined && !above.isDirectory()) return { upper: false, lower: false };
    return { upper: above !== undefined, lower: this.#lowerStat(at, parent)?.isDirectory() === true };
  }

  /** Makes the directory exist in the upper layer, with the modes that the lower one has. */
  #makeUpper(dir: string): void {
    if (dir === '' || this.#layersOf(dir).upper) return;
    const at = spotOf(dir);
    this.#makeUpper(at.dir);
    const below = this.#lowerStat(at, this.#layersOf(at.dir));
    if (below?.isDirectory() !== true) throw new Moved();
    try {
      this.upper.mkdir(at, Number(below.mode) & 0o777);
    } catch (error) {
      // The other process was faster.
      if (this.upper.lstat(at)?.isDirectory() !== true) throw error;
    }
    this.#layers.clear();
  }

  /** Before the first change at a name: its directory exists above, and what the lower layer has there is on record. */
  #prepare(at: Spot): void {
    this.#makeUpper(at.dir);
    if (this.upper.lstat(at) !== undefined || this.marks.isGone(at) || !this.#layersOf(at.dir).lower) return;
    const stat = this.lower.lstat(at);
    if (stat !== undefined && !stat.isDirectory()) this.marks.markBase(at, baseWithContent(this.lower, at));
  }

  #hideLower(at: Spot): void {
    const layers = this.#layersOf(at.dir);
    if (this.#lowerStat(at, layers) === undefined) return;
    this.#makeUpper(at.dir);
    this.marks.markGone(at, baseWithContent(this.lower, at));
    this.#layers.clear();
  }

  #copyUp(at: Spot): void {
    if (this.upperStat(at) !== undefined) return;
    const below = this.#lowerStat(at, this.#layersOf(at.dir));
    if (below === undefined) throw new Moved();
    if (below.isDirectory()) {
      this.#makeUpper(pathOf(at));
      return;
    }
    if (below.isSymbolicLink()) {
      this.#prepare(at);
      this.upper.symlink(this.lower.readlink(at), at);
      return;
    }
    const source = this.lower.open(at);
    try {
      this.#requireCopyable(source.stat);
      this.#prepare(at);
      this.upper.receive(at, source);
    } finally {
      closeSync(source.fd);
    }
    this.upper.utimes(at, Number(below.atimeMs), Number(below.mtimeNs) / 1e6);
  }

  /** Copies up all that shows through of a directory. */
  #materialise(at: Spot): void {
    const dir = pathOf(at);
    this.#makeUpper(dir);
    for (const entry of this.entries(dir)) {
      const child = { dir, name: entry.name };
      if (entry.unnamed !== undefined)
        throw new Refusal(
          'invalid_input',
          `it holds '${entry.name}', whose name is not valid UTF-8, and cannot be moved`,
        );
      if (entry.type === 'directory') this.#materialise(child);
      else if (entry.type !== 'other') this.#copyUp(child);
      else if (this.upperStat(child) === undefined) {
        throw new Refusal('not_regular_file', `it holds '${entry.name}', which is no regular file and cannot be moved`);
      }
    }
  }

  #requireVersion(stat: BigIntStats, wanted: string | null | undefined): void {
    if (wanted === undefined) return;
    if (wanted === null) throw new Refusal('stale_file', 'it exists by now; read it first');
    if (versionOf(stat) !== wanted) throw new Refusal('stale_file', 'it changed since it was read; read it again');
  }
}
