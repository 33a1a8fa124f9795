import type { AgentInit } from '../../protocol/container.js';

/**
 * Does something short under the commands' user, in this very process and with its real user kept, so that nobody may
 * signal it meanwhile. Not for work on what a command could have prepared: a file call never comes this way.
 * @throws system errors of becoming the user, and what `work` throws
 */
export function asUser<T>({ uid, gid }: Pick<AgentInit, 'uid' | 'gid'>, work: () => T): T {
  const own = { uid: process.geteuid?.(), gid: process.getegid?.() };
  if (own.uid === uid || own.uid === undefined || own.gid === undefined) return work();
  process.setegid?.(gid);
  try {
    process.seteuid?.(uid);
    return work();
  } finally {
    process.seteuid?.(own.uid);
    process.setegid?.(own.gid);
  }
}
