import { realpathSync } from 'node:fs';
import { type SandboxError, SandboxUnavailableError } from '../errors.js';
import type { Engine } from './engine/engine.js';
import { engineFor } from './engine-cache.js';
import { KEEPER } from './exec-transport/keeper-script.js';
import type { OpenAgent } from './open-agent.js';
import { openWithGuest, type SessionParts } from './open-with-guest.js';
import type { DockerSettings } from './options.js';

/** Images that were found to have no Node of their own, and those in which this machine's does not run either. */
const withoutNode = new Set<string>();
const withoutAnyNode = new Set<string>();
const NO_NODE = /exec node failed|"node": executable file not found/;
const NO_VOLUME = /failed to mount local volume/;

/**
 * A container with a running agent in it. An image without Node is lent this machine's, where the engine is local; where
 * that cannot run either, the work is done through processes that the engine starts.
 * @throws SandboxUnavailableError with the reason and the fix; then nothing is left of it
 */
export async function openContainerAgent(settings: DockerSettings, session: SessionParts): Promise<OpenAgent> {
  try {
    return await openWithNode(settings, session);
  } catch (error) {
    if (settings.overlay === 'copy' || !NO_VOLUME.test((error as Error).message)) throw error;
    // Not every file system can be a layer of an overlay.
    return await openWithNode({ ...settings, overlay: 'copy' }, session);
  }
}

async function openWithNode(settings: DockerSettings, session: SessionParts): Promise<OpenAgent> {
  const engine = await engineFor(settings.engine);
  const { transport, image } = settings;
  if (transport === 'exec' || (transport === 'auto' && withoutAnyNode.has(image)))
    return await openWithGuest(engine, settings, { ...session, guest: { keeper: KEEPER } });
  if (!withoutNode.has(image)) {
    try {
      return await openWithGuest(engine, settings, { ...session, guest: {} });
    } catch (error) {
      if (!NO_NODE.test((error as Error).message)) throw error;
      withoutNode.add(image);
    }
  }
  try {
    return await openWithBorrowedNode(engine, settings, session);
  } catch (error) {
    if (transport === 'agent' || !(error instanceof NoNodeError)) throw error;
    withoutAnyNode.add(image);
    return await openWithGuest(engine, settings, { ...session, guest: { keeper: KEEPER } });
  }
}

/** No Node can run in the image: neither its own nor this machine's. */
class NoNodeError extends SandboxUnavailableError {}

async function openWithBorrowedNode(
  engine: Engine,
  settings: DockerSettings,
  session: SessionParts,
): Promise<OpenAgent> {
  const cannot = (cause?: unknown) =>
    new NoNodeError(
      `Cannot start the sandbox: the image '${settings.image}' has no Node, and this machine's cannot run in it. Add Node 22 or later to the image, or leave 'transport' at 'auto'`,
      { code: 'unsupported', cause },
    );
  if (!engine.local || process.platform !== 'linux') throw cannot();
  try {
    return await openWithGuest(engine, settings, {
      ...session,
      guest: { borrowedNode: realpathSync(process.execPath) },
    });
  } catch (error) {
    throw (error as SandboxError).code === 'sandbox_start_failed' ? cannot(error) : error;
  }
}
