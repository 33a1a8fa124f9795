import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { errnoOf, Refusal } from '../refusal.js';
import { temporaryName } from '../reserved-name.js';
import type { Mount } from '../sandbox-path.js';
import type { Spot } from '../tree.js';
import { DirectTree } from './direct-tree.js';
import type { Gate } from './gate.js';
import { Quota, type QuotaLimits } from './quota.js';
import { Scratch } from './scratch.js';

const PARTS = ['workspace', 'upper', 'tmp', 'home', 'trash', 'in-flight'] as const;
type Part = (typeof PARTS)[number];

/**
 * The session's directory outside the workspace. No path of the sandbox leads to it other than through the trees kept in
 * it, so its own files (notes, trash) need no gate.
 */
export class PrivateDirectory {
  readonly scratch: Scratch;
  readonly quota: Quota;
  readonly #gate: Gate;
  readonly #root: string;

  constructor(gate: Gate, root: string, limits: QuotaLimits) {
    const real = gate.follow(root);
    if (real === undefined)
      throw new Refusal('sandbox_start_failed', 'the directory for its own files cannot be opened');
    this.#gate = gate;
    this.#root = real;
    for (const part of PARTS) this.#make(part);
    this.scratch = new Scratch(gate, this.#path('in-flight'));
    this.quota = new Quota(gate, real, limits);
  }

  tree(part: Part, mount: Mount): DirectTree {
    return new DirectTree({
      gate: this.#gate,
      scratch: this.scratch,
      mount,
      root: this.#path(part),
      quota: this.quota,
    });
  }

  /** Ends what processes that were killed had begun. */
  tidyUp(): void {
    for (const { directory, name, cameFrom } of this.scratch.abandoned()) {
      attempt(() => {
        if (cameFrom !== undefined) {
          this.#gate.enter(cameFrom.directory);
          renameSync(`${directory}/${name}`, cameFrom.name);
        } else {
          this.#gate.enter(directory);
          rmSync(name);
        }
      });
    }
    this.emptyTrash();
  }

  moveToTrash(tree: DirectTree, at: Spot): void {
    tree.evict(at, `${this.#path('trash')}/${temporaryName()}`);
    this.emptyTrash();
  }

  /** Replaces a whole part by an empty one. */
  clear(part: Part): void {
    renameSync(this.#path(part), `${this.#path('trash')}/${temporaryName()}`);
    this.#make(part);
    this.emptyTrash();
  }

  emptyTrash(): void {
    const trash = this.tree('trash', '/tmp');
    this.#gate.reset();
    for (const entry of readdirSync(this.#path('trash'), { withFileTypes: true })) {
      const at = { dir: '', name: entry.name };
      // The other process may be emptying it too.
      attempt(() => (entry.isDirectory() ? trash.removeTree(at) : trash.unlink(at)));
    }
  }

  /** Small facts that outlive the process. */
  readNote(name: string): string | undefined {
    try {
      return readFileSync(`${this.#root}/${name}`, 'utf8');
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  writeNote(name: string, text: string | undefined): void {
    if (text === undefined) {
      rmSync(`${this.#root}/${name}`, { force: true });
      return;
    }
    const temporary = `${this.#root}/${temporaryName()}`;
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, `${this.#root}/${name}`);
  }

  #path(part: Part): string {
    return `${this.#root}/${part}`;
  }

  #make(part: Part): void {
    try {
      mkdirSync(this.#path(part), 0o700);
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
    }
  }
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // Best effort: what is left stays invisible, and is tried again at the next start.
  }
}
