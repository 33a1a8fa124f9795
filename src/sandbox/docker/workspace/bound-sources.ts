import { realpath, stat } from 'node:fs/promises';
import { SandboxUnavailableError } from '../../errors.js';
import type { Engine } from '../engine/engine.js';
import { usualSockets } from '../engine/find-endpoints.js';
import { type DockerMount, isAtOrBelow, sourceRefusal } from './mounts.js';

/**
 * The mounts with their sources as the engine would find them: it follows links, so what a link leads to counts, and an
 * engine's socket anywhere below counts as well. Where the engine has other files than this machine, or no such path is
 * here, the engine's own answer is waited for.
 * @throws SandboxUnavailableError `unsupported`, naming the mount and why it is refused
 */
export async function resolveMounts(engine: Engine, mounts: readonly DockerMount[]): Promise<DockerMount[]> {
  if (!engine.local || mounts.length === 0) return [...mounts];
  const sockets = await findSockets(engine);
  return await Promise.all(
    mounts.map(async (mount) => {
      const source = await followLinks(mount.source);
      const reason = sourceRefusal(source) ?? socketRefusal(source, sockets);
      if (reason !== undefined)
        throw refused(`Cannot start the sandbox: the mount of '${mount.source}' is refused: ${reason}`);
      return { ...mount, source };
    }),
  );
}

/** @throws SandboxUnavailableError `unsupported` for a workspace in which commands would find the engine's socket */
export async function requireNoSocket(engine: Engine, workspace: string): Promise<void> {
  const reason = socketRefusal(workspace, await findSockets(engine));
  if (reason !== undefined)
    throw refused(
      `Cannot work directly on this workspace: ${reason}. Use workspaceMode 'overlay' or another directory`,
    );
}

function socketRefusal(source: string, sockets: readonly string[]): string | undefined {
  if (!sockets.some((socket) => isAtOrBelow(socket, source))) return undefined;
  return "an engine's socket is in it, which gives whoever reaches it the whole machine";
}

/** Without links: the engine that is used, and what else may listen at the usual places. */
async function findSockets({ endpoint }: Engine): Promise<string[]> {
  const own = endpoint.host.startsWith('unix://') ? [endpoint.host.slice('unix://'.length)] : [];
  const found = await Promise.all(
    [...own, ...usualSockets()].map(async (path) => {
      const real = await realpath(path).catch(() => undefined);
      if (real === undefined) return [];
      return (await stat(real).then(
        (stats) => stats.isSocket(),
        () => false,
      ))
        ? [real]
        : [];
    }),
  );
  return found.flat();
}

async function followLinks(source: string): Promise<string> {
  try {
    return await realpath(source);
  } catch (error) {
    // An engine in a virtual machine has paths that this machine has not.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return source;
    throw refused(
      `Cannot start the sandbox: the mount of '${source}' is refused: it cannot be told where it leads (${(error as NodeJS.ErrnoException).code})`,
    );
  }
}

function refused(message: string): SandboxUnavailableError {
  return new SandboxUnavailableError(message, { code: 'unsupported' });
}
