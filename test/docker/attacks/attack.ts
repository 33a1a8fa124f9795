import type { SandboxSession } from '../../../src/sandbox/contract.js';
import type { Engine } from '../../../src/sandbox/docker/engine/engine.js';
import type { DockerSandboxOptions } from '../../../src/sandbox/docker/options.js';

/** What an attack works with; sessions it opens are disposed of after it. */
export interface Stage {
  engine: Engine;
  /** A `memory` session that most attacks share, so that damage done by one shows in the next. */
  sandbox: SandboxSession;
  open(options?: DockerSandboxOptions): Promise<SandboxSession>;
  /** An empty host directory that a `direct` session may use. */
  workspace(): Promise<string>;
}

/** Case id to what must hold. */
export type Attacks = Record<string, (stage: Stage) => Promise<void>>;

export const MiB = 1024 * 1024;

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What a call rejects with, as its code; `resolved` when it does not. */
export async function codeOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'resolved',
    (error: { code?: unknown }) => error.code,
  );
}

/** Waits for something that comes about on its own. */
export async function eventually(what: string, holds: () => Promise<boolean>, withinMs = 10_000): Promise<void> {
  const until = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > until) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await pause(50);
  }
}
