import type Docker from 'dockerode';
import { sweepPrivateDirectories } from '../private-directory.js';
import { isAbandoned, LABEL } from './engine/labels.js';
import { OVERLAY_LABEL, removeOverlayVolume } from './overlay/remove-upper.js';

export interface Reaped {
  containers: string[];
  volumes: string[];
  networks: string[];
}

const FILTERS = { filters: JSON.stringify({ label: [LABEL] }) };

/** Removes what dead owners left on an engine and in the temp directory, and nothing else. Never throws for a thing that somebody else removes meanwhile. */
export async function reap(docker: Docker): Promise<Reaped> {
  sweepPrivateDirectories();
  const containers = await removeAll(
    (await docker.listContainers({ all: true, ...FILTERS }))
      .filter(({ Labels }) => isAbandoned(Labels))
      .map(({ Id }) => Id),
    (id) => docker.getContainer(id).remove({ force: true, v: true }),
  );
  const listed = (await docker.listVolumes(FILTERS)).Volumes ?? [];
  const volumes = await removeAll(
    listed.filter(({ Labels }) => isAbandoned(Labels ?? {})).map(({ Name }) => Name),
    (name) => {
      const labels = listed.find(({ Name }) => Name === name)?.Labels ?? {};
      return labels[OVERLAY_LABEL] === undefined
        ? docker.getVolume(name).remove()
        : removeOverlayVolume(docker, { name, labels });
    },
  );
  const networks = await removeAll(
    (await docker.listNetworks(FILTERS)).filter(({ Labels }) => isAbandoned(Labels ?? {})).map(({ Id }) => Id),
    (id) => docker.getNetwork(id).remove(),
  );
  return { containers, volumes, networks };
}

async function removeAll(ids: string[], remove: (id: string) => Promise<unknown>): Promise<string[]> {
  const removed = await Promise.all(
    ids.map((id) =>
      remove(id).then(
        () => [id],
        () => [],
      ),
    ),
  );
  return removed.flat();
}
