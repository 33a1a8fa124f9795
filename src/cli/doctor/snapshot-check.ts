import { lstatSync, readdirSync } from 'node:fs';
import { cacheDirectory } from '../../sandbox/cache-directory.js';
import type { Check } from './check.js';

/** Where V8 snapshots are kept, and whether they can be trusted and written. */
export function snapshotCheck(): Check {
  const directory = cacheDirectory();
  const name = 'snapshot cache';
  try {
    const stats = lstatSync(directory);
    const foreign = process.getuid !== undefined && stats.uid !== process.getuid();
    if (!stats.isDirectory() || foreign || (stats.mode & 0o022) !== 0) {
      return {
        name,
        status: 'note',
        detail: `${directory} can be written by others, so snapshots are built in memory`,
        fix: `Make it yours: chown "$USER" ${directory} && chmod 700 ${directory}, or set XDG_CACHE_HOME`,
      };
    }
    const count = readdirSync(directory).filter((file) => file.endsWith('.v8snapshot')).length;
    return { name, status: 'ok', detail: `${directory}, ${count} ${count === 1 ? 'snapshot' : 'snapshots'}` };
  } catch {
    return { name, status: 'ok', detail: `${directory}, made at the first start` };
  }
}
