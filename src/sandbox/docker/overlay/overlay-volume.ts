import { join } from 'node:path';
import type Docker from 'dockerode';
import type { NamedEntry } from '../../../../sandbox/protocol/tree-operations.js';
import type { EnforcementPlan } from '../../plan.js';
import type { WorkspaceDirectory } from '../../workspace-directory.js';
import type { LocalTree } from '../agent/local-tree.js';
import type { ContainerPlan } from '../container/container-config.js';
import type { Engine } from '../engine/engine.js';
import { LABEL } from '../engine/labels.js';
import { makeUpper } from './make-upper.js';
import { IMAGE_LABEL, OVERLAY_LABEL, removeOverlayVolume, upperName } from './remove-upper.js';
import { findUpperPlace } from './upper-place.js';
import { overlayOptions } from './volume-options.js';

export interface OpenVolume {
  plan: Pick<ContainerPlan, 'workspaceMount' | 'masks'>;
  /** Paths with a stand-in in the upper layer. */
  hidden: string[];
  /** When the container is gone. What cannot be removed now is left to the reaper. */
  remove(): Promise<void>;
}

/** More mounts than that make every start slow; what is over is held when changes are committed. */
const MAX_MOUNTS = 200;

/**
 * An overlay over the workspace as a volume of the engine's, which a container mounts when it starts: nothing is copied
 * but what is written.
 * @returns undefined where this machine has no place for what is written, or this process may not give it to the owner
 */
export async function openOverlayVolume(
  { docker }: Engine,
  {
    workspace,
    plan,
    origin,
    labels: own,
    image,
  }: {
    workspace: WorkspaceDirectory;
    plan: EnforcementPlan;
    origin: LocalTree;
    labels: Readonly<Record<string, string>>;
    image: string;
  },
): Promise<OpenVolume | undefined> {
  const place = await findUpperPlace(workspace.path);
  if (place === undefined) return undefined;
  const named = plan.denyRead.length + plan.denyWrite.length > 0 ? (await origin.named(plan, true)).entries : [];
  const hidden = named.filter(({ kind }) => kind === 'denyRead').map(({ path }) => path);
  const sessionId = own[LABEL] ?? '';
  const directory = join(place, upperName(sessionId));
  const labels = { ...own, [OVERLAY_LABEL]: directory, [IMAGE_LABEL]: image };
  const volume = { name: `caisson-${sessionId}`, labels };
  const remove = () => removeOverlayVolume(docker, volume).catch(() => {});
  try {
    // First the volume, which names the directory, so that whoever finds this half made knows what to remove.
    await docker.createVolume({
      Name: volume.name,
      Driver: 'local',
      DriverOpts: overlayOptions(directory) as unknown as Record<string, string>,
      Labels: labels,
    });
    await makeUpper(directory, { workspace, hidden });
  } catch {
    await remove();
    return undefined;
  }
  return {
    plan: {
      workspaceMount: {
        Type: 'volume',
        Source: volume.name,
        Target: '/workspace',
        ReadOnly: false,
        // Otherwise the engine fills an empty workspace with what the image has there.
        VolumeOptions: { NoCopy: true, Labels: {}, DriverConfig: { Name: 'local', Options: {} } },
      },
      masks: writeMasks(workspace.path, named),
    },
    hidden,
    remove,
  };
}

/**
 * What may not be written is the origin's own, mounted read-only. A directory with something hidden in it is not: its
 * mount would show that. Then, as for what comes later, the rule holds for file calls and when changes are committed.
 */
function writeMasks(root: string, named: readonly NamedEntry[]): Docker.MountConfig {
  const masked: string[] = [];
  for (const { path, kind } of named) {
    const isBelow = masked.some((other) => path.startsWith(`${other}/`));
    if (kind !== 'denyWrite' || isBelow || masked.length >= MAX_MOUNTS) continue;
    if (named.some((other) => other.kind === 'denyRead' && other.path.startsWith(`${path}/`))) continue;
    masked.push(path);
  }
  return masked.map((path) => ({
    Type: 'bind',
    Source: join(root, path),
    Target: `/workspace/${path}`,
    ReadOnly: true,
  }));
}
