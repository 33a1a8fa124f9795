import type { InitMessage } from '../protocol/isolate.js';

/**
 * Gives up what the worker needed only to start. Everything is loaded; no guest code has run.
 * @throws when this process could do more than it must
 */
export function lockDown({ uid, gid }: Pick<InitMessage, 'uid' | 'gid'>): void {
  if (process.permission === undefined || process.permission.has('fs.write', '/') || process.permission.has('child')) {
    throw new Error('The worker was started without the permission model');
  }
  if (gid !== undefined) {
    process.setgroups?.([gid]);
    process.setgid?.(gid);
  }
  if (uid !== undefined) process.setuid?.(uid);
  for (const name of Object.keys(process.env)) delete process.env[name];
  process.umask(0o022);
}
