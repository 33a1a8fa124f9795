import { isGone, thisOwner } from '../../../../sandbox/protocol/owner.js';

/** Everything Caisson makes carries this label; its value is the session's id. */
export const LABEL = 'caisson';
const HOST = 'caisson.host';
const PID = 'caisson.pid';
const STARTED = 'caisson.started';
const EXPIRES = 'caisson.expires';
export const UID_LABEL = 'caisson.uid';
/** Of a volume that belongs to no session: its kind. */
export const CACHE_LABEL = 'caisson.cache';
export const CACHE_WORKSPACE_LABEL = 'caisson.workspace';

export function ownLabels(sessionId: string, expiresAt: number): Record<string, string> {
  const owner = thisOwner();
  return {
    [LABEL]: sessionId,
    [HOST]: owner.host,
    [PID]: String(owner.pid),
    [STARTED]: owner.started,
    [EXPIRES]: String(expiresAt),
  };
}

/** What sessions share outlives them: no owner, no expiry. */
export function cacheLabels(kind: string, workspace: string | undefined): Record<string, string> {
  return { [LABEL]: 'cache', [CACHE_LABEL]: kind, [CACHE_WORKSPACE_LABEL]: workspace ?? '' };
}

/**
 * Whether nobody will ever use what carries these labels again: its time is over, or its owner was a process of this
 * very machine and is no more. What another machine owns is left alone until it expires.
 */
export function isAbandoned(labels: Record<string, string>, now = Date.now()): boolean {
  if (labels[LABEL] === undefined || labels[CACHE_LABEL] !== undefined) return false;
  const expires = Number(labels[EXPIRES]);
  if (Number.isFinite(expires) && expires > 0 && now > expires) return true;
  return isGone({ host: labels[HOST] ?? '', pid: Number(labels[PID]), started: labels[STARTED] ?? '' });
}
