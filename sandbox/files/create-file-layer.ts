import type {
  Change,
  CommitResult,
  DirectoryEntry,
  FileStat,
  GlobQuery,
  GlobResult,
  GrepQuery,
  GrepResult,
} from '../protocol/files.js';
import type { EnforcementPlan } from '../protocol/plan.js';
import type { FileLayer, FileLayerOptions, FilePart, ListOptions, WriteOptions } from './file-layer.js';
import * as operations from './file-operations.js';
import { openWorkspace, type Workspace } from './open-workspace.js';
import { AtTarget, Moved, toFileError } from './refusal.js';

const ATTEMPTS = 20;

/**
 * Opens the file layer of one worker process. Must run on the main thread, after the process has dropped to the user it
 * will work as: it moves the working directory about, and sets the umask to 0 so that files get exactly the modes asked.
 *
 * @throws FileError `not_found` when the workspace cannot be opened, `sandbox_start_failed`
 */
export function createFileLayer(options: FileLayerOptions): FileLayer {
  process.umask(0);
  try {
    return new GatedFiles(openWorkspace(options));
  } catch (error) {
    throw toFileError(error, 'open', '/workspace');
  }
}

/** The same over a workspace that is not this machine's: nothing of the process is changed. */
export function createLayerOver(workspace: Workspace): FileLayer {
  return new GatedFiles(workspace);
}

/** Frames each operation: starts from a clean gate, starts over when the tree moved meanwhile, names the failure. */
class GatedFiles implements FileLayer {
  readonly #workspace: Workspace;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  readFile(path: string, maxBytes: number): Uint8Array {
    return this.#do('read', path, (space) => operations.readFile(space, path, maxBytes));
  }

  readPart(path: string, offset: number, maxBytes: number): FilePart {
    return this.#do('read', path, (space) => operations.readPart(space, path, { offset, maxBytes }));
  }

  writeFile(path: string, data: Uint8Array, options: WriteOptions = {}): void {
    this.#do('write', path, (space) => operations.writeFile(space, path, { ...options, data }));
  }

  stat(path: string): FileStat {
    return this.#do('stat', path, (space) => operations.statFile(space, path, true));
  }

  lstat(path: string): FileStat {
    return this.#do('stat', path, (space) => operations.statFile(space, path, false));
  }

  list(path: string, options: ListOptions = {}): DirectoryEntry[] {
    return this.#do('list', path, (space) => operations.listDirectory(space, path, options));
  }

  mkdir(path: string, options: { recursive?: boolean } = {}): void {
    this.#do('make directory', path, (space) => operations.makeDirectory(space, path, options.recursive === true));
  }

  remove(path: string, options: { recursive?: boolean } = {}): boolean {
    return this.#do('remove', path, (space) => operations.remove(space, path, options.recursive === true));
  }

  rename(from: string, to: string): void {
    this.#do('move', from, (space) => {
      try {
        operations.rename(space, from, to);
      } catch (error) {
        throw error instanceof AtTarget ? toFileError(error.cause, 'move to', to) : error;
      }
    });
  }

  link(existing: string, path: string): void {
    this.#do('link', path, (space) => operations.link(space, existing, path));
  }

  symlink(target: string, path: string): void {
    this.#do('link', path, (space) => operations.symlink(space, target, path));
  }

  readlink(path: string): string {
    return this.#do('read link', path, (space) => operations.readlink(space, path));
  }

  realpath(path: string): string {
    return this.#do('resolve', path, (space) => operations.realpath(space, path));
  }

  chmod(path: string, mode: number): void {
    this.#do('change the mode of', path, (space) => operations.chmod(space, path, mode));
  }

  utimes(path: string, atimeMs: number, mtimeMs: number): void {
    this.#do('change the times of', path, (space) => operations.utimes(space, path, { atimeMs, mtimeMs }));
  }

  glob(patterns: readonly string[], query: GlobQuery): GlobResult {
    const cwd = query.cwd ?? '/workspace';
    return this.#do('search', cwd, (space) => operations.glob(space, cwd, { patterns, query }));
  }

  grep(pattern: string, query: GrepQuery): GrepResult {
    const path = query.path ?? '/workspace';
    return this.#do('search', path, (space) => operations.grep(space, path, { pattern, query }));
  }

  changes(): Change[] {
    return this.#do('list the changes of', '/workspace', (space) => space.changes());
  }

  commit(): CommitResult {
    return this.#do('commit', '/workspace', (space) => space.commit());
  }

  discard(): void {
    this.#do('discard the changes of', '/workspace', (space) => space.discard());
  }

  enforce(plan: EnforcementPlan): void {
    this.#do('enforce rules on', '/workspace', (space) => space.enforce(plan));
  }

  #do<T>(action: string, path: string, work: (space: Workspace) => T): T {
    for (let attempt = 1; ; attempt += 1) {
      this.#workspace.begin();
      try {
        return work(this.#workspace);
      } catch (error) {
        if (error instanceof Moved && attempt < ATTEMPTS) continue;
        throw toFileError(error, action, path);
      }
    }
  }
}
