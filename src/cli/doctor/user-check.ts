import type { Check } from './check.js';

/** Whom the worker that runs guest code becomes. */
export function userCheck(): Check {
  const uid = process.getuid?.();
  if (uid === undefined) return { name: 'user', status: 'note', detail: 'this system has no user ids' };
  if (uid !== 0) return { name: 'user', status: 'ok', detail: `uid ${uid}; workers run as the same user` };
  return {
    name: 'user',
    status: 'note',
    detail: "root; workers become the workspace's owner, or nobody without one",
    fix: 'Run as an ordinary user: a workspace that root owns keeps its worker root',
  };
}
