import { type AgentInit, HEARTBEAT, type HostMessage } from '../protocol/container.js';

/** Counts in the container itself, so that it ends although the host hangs or its stream is held open by something else. */
export function startLife(
  { idleMs, hardMs }: Pick<AgentInit, 'idleMs' | 'hardMs'>,
  over: (reason: 'idle' | 'expired') => void,
): { touch(message: HostMessage): void } {
  setTimeout(() => over('expired'), Math.min(hardMs, MAX_TIMER_MS));
  let lastUsed = performance.now();
  if (idleMs !== undefined) {
    const look = Math.max(50, Math.min(idleMs / 4, 30_000));
    setInterval(() => {
      if (performance.now() - lastUsed >= idleMs) over('idle');
    }, look);
  }
  return {
    touch: (message) => {
      // Heartbeats come only while calls run: they keep a session with one long command alive.
      const isUse = message.type === 'ping' ? message.id === HEARTBEAT : message.type !== 'enforce';
      if (isUse) lastUsed = performance.now();
    },
  };
}

const MAX_TIMER_MS = 2 ** 31 - 1;
