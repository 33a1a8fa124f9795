import type { ToolHost } from '../../../host/types.js';
import type { ToolUseContext } from '../tool-use-calls.js';

/** Sessions of one host that are remembered; the one that was used least recently goes first. */
const MAX_SESSIONS = 1_000;

const directories = new WeakMap<ToolHost, Map<string, string>>();

/** Where the next command of a session runs; `undefined` is the workspace. */
export function directoryOf({ host, sessionId = '' }: ToolUseContext): string | undefined {
  return directories.get(host)?.get(sessionId);
}

export function keepDirectory({ host, sessionId = '' }: ToolUseContext, directory: string): void {
  const sessions = directories.get(host) ?? new Map<string, string>();
  directories.set(host, sessions);
  sessions.delete(sessionId);
  sessions.set(sessionId, directory);
  const [oldest] = sessions.keys();
  if (sessions.size > MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest);
}

export function forgetDirectory({ host, sessionId = '' }: ToolUseContext): void {
  directories.get(host)?.delete(sessionId);
}
