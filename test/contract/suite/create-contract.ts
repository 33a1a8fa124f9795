import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxCapabilities, SandboxSession, WorkspaceMode } from '../../../src/sandbox/contract.js';
import type { CheckOptions, Contract, Failure, Scope } from './contract.js';
import type { ContractBackend, ContractCreateOptions } from './contract-backend.js';
import { missingNeed } from './need.js';
import type { TestApi } from './test-api.js';

/** Longer than any wait inside a check, shorter than a person's patience. */
const CHECK_TIMEOUT_MS = 30_000;

export interface ContractRun {
  contract: Contract;
  /** Checks that were skipped, with the need that was not met. */
  skips: { title: string; need: string }[];
  /** Ends the shared session and removes what the run made. */
  close(): Promise<void>;
}

/** A contract over one backend in one workspace mode. Checks share a session that is made at the first of them. */
export function createContract(
  api: TestApi,
  backend: ContractBackend,
  setting: { mode: WorkspaceMode; capabilities: SandboxCapabilities },
): ContractRun {
  const { mode, capabilities } = setting;
  const skips: ContractRun['skips'] = [];
  const shared = createShared(backend, mode);
  let number = 0;

  const runCheck = async (body: (scope: Scope) => Promise<void>): Promise<void> => {
    number += 1;
    const { sandbox, hostRoot } = await shared.get();
    const dir = `check-${number}`;
    await sandbox.fs.mkdir(dir);
    const scope = createScope(backend, mode, { sandbox, dir, hostRoot });
    try {
      await body(scope);
    } finally {
      await scope.close();
    }
  };

  const check = (title: string, body: (scope: Scope) => Promise<void>, options: CheckOptions = {}): void => {
    const need = missingNeed(options.needs ?? [], { backend, capabilities, mode });
    if (need === undefined) {
      api.it(title, () => runCheck(body), options.timeoutMs ?? CHECK_TIMEOUT_MS);
      return;
    }
    skips.push({ title, need });
    api.it(`${title} (skipped: needs ${need})`, async (context) => skip(context, `needs ${need}`));
  };

  return {
    contract: { describe: api.describe, expect: api.expect, backend, mode, capabilities, check },
    skips,
    close: shared.close,
  };
}

/** Vitest and `node:test` both hand a `skip(reason)` to a test; without one an empty check is what is left. */
function skip(context: unknown, reason: string): void {
  if (typeof context !== 'object' || context === null || !('skip' in context)) return;
  const skipThis = (context as { skip: unknown }).skip;
  if (typeof skipThis === 'function') skipThis.call(context, reason);
}

interface Shared {
  sandbox: SandboxSession;
  hostRoot?: string;
}

function createShared(backend: ContractBackend, mode: WorkspaceMode) {
  const made: string[] = [];
  let opened: Promise<Shared> | undefined;
  const open = async (): Promise<Shared> => {
    const hostRoot = mode === 'memory' ? undefined : await makeWorkspace(backend);
    if (hostRoot !== undefined) made.push(hostRoot);
    const sandbox = await backend.create({
      workspaceMode: mode,
      ...(hostRoot !== undefined && { workspace: hostRoot }),
    });
    return { sandbox, ...(hostRoot !== undefined && { hostRoot }) };
  };
  return {
    get: (): Promise<Shared> => {
      opened ??= open();
      return opened;
    },
    close: async (): Promise<void> => {
      const session = await opened?.catch(() => undefined);
      await session?.sandbox.dispose();
      await removeAll(made);
    },
  };
}

function createScope(
  backend: ContractBackend,
  mode: WorkspaceMode,
  shared: { sandbox: SandboxSession; dir: string; hostRoot: string | undefined },
): Scope & { close(): Promise<void> } {
  const { sandbox, dir, hostRoot } = shared;
  const sessions: SandboxSession[] = [];
  const directories: string[] = [];

  const workspace = async (): Promise<string> => {
    const directory = await makeWorkspace(backend);
    directories.push(directory);
    return directory;
  };
  const open = async (options: ContractCreateOptions = {}): Promise<SandboxSession> => {
    const workspaceMode = options.workspaceMode ?? mode;
    const needsDirectory = workspaceMode !== 'memory' && options.workspace === undefined;
    const session = await backend.create({
      ...options,
      workspaceMode,
      ...(needsDirectory && { workspace: await workspace() }),
    });
    sessions.push(session);
    return session;
  };
  const see = async (work: Promise<unknown>): Promise<Failure> => {
    const caught = await work.then(
      (value) => {
        throw new Error(`Expected a rejection, got ${describeValue(value)}`);
      },
      (error: unknown) => error,
    );
    const seen = toFailure(caught);
    for (const directory of [...directories, ...(hostRoot === undefined ? [] : [hostRoot])]) {
      if (seen.message.includes(directory)) throw new Error(`A message names a host directory: ${seen.message}`);
    }
    if (/\n\s+at /.test(seen.message)) throw new Error(`A message holds a stack: ${seen.message}`);
    return seen;
  };
  const failure = (work: Promise<unknown>): Promise<Failure> => {
    const seen = see(work);
    // A check may look at it later; until then a wrong outcome is not an unhandled one.
    seen.catch(() => undefined);
    return seen;
  };
  const failures = (work: readonly Promise<unknown>[]): Promise<Failure[]> => Promise.all(work.map(failure));
  return {
    sandbox,
    dir,
    ...(hostRoot !== undefined && { hostDir: join(hostRoot, dir) }),
    open,
    workspace,
    failure,
    failures,
    close: async () => {
      await Promise.all(sessions.map((session) => session.dispose()));
      await removeAll(directories);
    },
  };
}

function toFailure(error: unknown): Failure {
  if (typeof error !== 'object' || error === null)
    throw new Error(`Expected an error object, got ${describeValue(error)}`);
  const { name, message, code, retryable, path, stdout, stderr } = error as Record<string, unknown>;
  return { name: String(name), message: String(message), code, retryable, path, stdout, stderr };
}

function describeValue(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 500);
}

export async function makeWorkspace(backend: ContractBackend): Promise<string> {
  if (backend.makeWorkspace !== undefined) return backend.makeWorkspace();
  return realpath(await mkdtemp(join(tmpdir(), 'caisson-contract-')));
}

async function removeAll(directories: string[]): Promise<void> {
  await Promise.all(directories.map((directory) => rm(directory, { recursive: true, force: true })));
}
