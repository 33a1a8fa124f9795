import { privateDirectoryParent } from '../../sandbox/private-directory.js';
import type { Check } from './check.js';

/** Where overlay and memory workspaces keep their files. */
export function privateStateCheck(): Check {
  const { path, tmpfs } = privateDirectoryParent();
  if (tmpfs) return { name: 'private state', status: 'ok', detail: `${path}, in memory` };
  return {
    name: 'private state',
    status: 'note',
    detail: `${path}, on disk: slower, and a crash can leave bytes on it`,
    fix: 'Make /dev/shm writable (in a container: --shm-size=1g)',
  };
}
