import type { SandboxSession, WorkspaceMode } from './contract.js';
import { isSandboxError, SandboxUnavailableError } from './errors.js';
import { EMPTY_PLAN, type EnforcementPlan } from './plan.js';

export type BackendName = 'isolate' | 'docker';

export interface NamedSessionOptions {
  workspace?: string;
  workspaceMode?: WorkspaceMode;
  timeoutMs?: number;
  /** Path rules that hold before anything runs. */
  plan?: EnforcementPlan;
}

export interface PassedOver {
  name: string;
  reason: string;
}

export interface Candidate {
  name: string;
  open(): SandboxSession | Promise<SandboxSession>;
}

/**
 * A session of the backend with this name, not started. Its code is loaded here: who never asks for it pays nothing.
 * @throws TypeError for options the backend does not take
 */
export async function openNamedSession(
  name: BackendName,
  { plan = EMPTY_PLAN, ...options }: NamedSessionOptions,
): Promise<SandboxSession> {
  const session =
    name === 'docker'
      ? (await import('./docker/create-docker-sandbox.js')).createDockerSandbox(options)
      : (await import('./isolate/create-isolate-sandbox.js')).createIsolateSandbox(options);
  session.enforce(plan);
  return session;
}

/**
 * What `auto` means: a container where an engine answers, has the image and can give the workspace mode; else the
 * isolate. Never the host itself. An engine that does not answer costs a second.
 * @throws SandboxUnavailableError naming why neither starts
 */
export function startAutoSession(options: NamedSessionOptions): Promise<{
  session: SandboxSession;
  passedOver: PassedOver[];
}> {
  return startFirst([
    {
      name: 'docker',
      open: async () => {
        const { requireEngine } = await import('./docker/require-engine.js');
        await requireEngine();
        return await openNamedSession('docker', options);
      },
    },
    { name: 'isolate', open: () => openNamedSession('isolate', options) },
  ]);
}

/**
 * Starts the first that can be started; the others are named with the reason.
 * @throws what a candidate rejects with when it is no matter of the backend: a bad option, an unusable workspace
 */
export async function startFirst(candidates: readonly Candidate[]): Promise<{
  session: SandboxSession;
  passedOver: PassedOver[];
}> {
  const failed: PassedOver[] = [];
  for (const [index, { name, open }] of candidates.entries()) {
    try {
      const session = await startOrDispose(await open());
      const reason = `'${name}' comes first and works here`;
      return {
        session,
        passedOver: [...failed, ...candidates.slice(index + 1).map((later) => ({ name: later.name, reason }))],
      };
    } catch (error) {
      if (concernsEveryBackend(error)) throw error;
      failed.push({ name, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  const reasons = failed.map(({ name, reason }) => `${name}: ${reason}`).join('; ');
  throw new SandboxUnavailableError(`Cannot start any sandbox on this machine (${reasons}). Run caisson doctor`);
}

/** A session that does not start is not left behind. */
export async function startOrDispose(session: SandboxSession): Promise<SandboxSession> {
  try {
    await session.start();
  } catch (error) {
    await session.dispose().catch(() => {});
    throw error;
  }
  return session;
}

function concernsEveryBackend(error: unknown): boolean {
  return error instanceof TypeError || (isSandboxError(error) && error.path !== undefined);
}
