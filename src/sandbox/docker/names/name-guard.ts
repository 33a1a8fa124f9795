import type { ChildProcess } from 'node:child_process';
import type { NamedPath, NameGuardReply } from '../../../../sandbox/protocol/name-guard.js';
import { SandboxUnavailableError } from '../../errors.js';
import type { EnforcementPlan, PathRule } from '../../plan.js';
import { firstReply, send, startNameProcess } from './name-process.js';

type NamedReply = Extract<NameGuardReply, { type: 'named' }>;

/**
 * What rules name in a directory of this machine, and whether that is still what it was when a container was made. Works
 * in a process of its own: the host itself looks at no tree that a container can write.
 */
export class NameGuard {
  readonly named: readonly NamedPath[];
  /** A rule closes every name at the top to writing. */
  readonly closesRoot: boolean;
  /** Rules that name nothing. */
  readonly unmatched: readonly string[];
  /** What must not be read, or may hold such, and cannot be covered: its name is not valid UTF-8. */
  readonly unnamed: readonly string[];
  readonly linked: readonly PathRule[];
  readonly #child: ChildProcess;
  #pending: PromiseWithResolvers<NamedPath[]> | undefined;
  #next: Promise<NamedPath[]> | undefined;
  #closed = false;
  /** What no command can replace: who did was the host. */
  #held: ReadonlySet<string> = new Set();
  #broken: NamedPath | 'guard' | undefined;
  #onBroken: (broken: NamedPath | 'guard') => void = () => {};
  #onAppeared: (named: NamedPath) => void = () => {};

  /**
   * @param root real path; `byName`: a name that was there at first stays covered, whatever comes there
   * @throws SandboxUnavailableError `sandbox_start_failed` when the directory cannot be looked through
   */
  static async open(root: string, plan: EnforcementPlan, { byName = false } = {}): Promise<NameGuard> {
    const child = startNameProcess();
    const answer = firstReply(child, 'named', unreadable);
    send(child, { type: 'watch', root, plan, byName });
    try {
      return new NameGuard(child, await answer);
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }

  private constructor(child: ChildProcess, { named, closesRoot, unmatched, unnamed, linked }: NamedReply) {
    this.#child = child;
    this.named = named;
    this.closesRoot = closesRoot;
    this.unmatched = unmatched;
    this.unnamed = unnamed;
    this.linked = linked;
    child.on('message', (reply: NameGuardReply) => this.#hear(reply));
    child.once('exit', () => this.#break('guard'));
    child.once('error', () => this.#break('guard'));
    child.unref();
    child.channel?.unref();
  }

  /** What is named and not covered by what was named at first. Calls that wait share one look. @throws when the guard itself is gone */
  check(): Promise<NamedPath[]> {
    this.#next ??= this.#ask();
    return this.#next;
  }

  /** Called once, when something else took the place of what must not be read, or the guard itself is gone. */
  onBroken(listener: (broken: NamedPath | 'guard') => void): void {
    this.#onBroken = listener;
    if (this.#broken !== undefined) listener(this.#broken);
  }

  /** Called with each path that must not be written and that a command may have made or replaced. */
  onAppeared(listener: (named: NamedPath) => void): void {
    this.#onAppeared = listener;
  }

  /** Says which of `named` no command can replace or move away. */
  hold(paths: ReadonlySet<string>): void {
    this.#held = paths;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#pending?.reject(gone());
    this.#child.kill('SIGKILL');
  }

  #hear(reply: NameGuardReply): void {
    if (reply.type === 'replaced') return this.#break(reply.named);
    if (reply.type === 'appeared') {
      if (!(reply.replaced && this.#held.has(reply.named.path))) this.#onAppeared(reply.named);
      return;
    }
    if (reply.type === 'checked') this.#pending?.resolve(reply.changed);
  }

  /** A look that began before a call may have missed what was there when it was made: the call waits for the next one. */
  async #ask(): Promise<NamedPath[]> {
    await this.#pending?.promise.catch(() => {});
    this.#next = undefined;
    if (this.#closed || this.#broken === 'guard') throw gone();
    const pending = Promise.withResolvers<NamedPath[]>();
    this.#pending = pending;
    this.#child.channel?.ref();
    send(this.#child, { type: 'check' });
    try {
      return await pending.promise;
    } finally {
      this.#pending = undefined;
      this.#child.channel?.unref();
    }
  }

  #break(broken: NamedPath | 'guard'): void {
    if (broken === 'guard') this.#pending?.reject(gone());
    if (this.#closed || this.#broken !== undefined) return;
    this.#broken = broken;
    this.#onBroken(broken);
  }
}

function gone(): Error {
  return new Error('The guard of the workspace has ended');
}

function unreadable(): SandboxUnavailableError {
  return new SandboxUnavailableError(
    'Cannot start the sandbox: the workspace cannot be looked through for what the rules name. Check its permissions',
    { code: 'sandbox_start_failed' },
  );
}
