import type { Sandbox } from '../../sandbox/contract.js';
import type { AnyAiSdkSandboxSession } from './sandbox-types.js';

const sessions = new WeakMap<Sandbox, AnyAiSdkSandboxSession>();
const sandboxes = new WeakMap<AnyAiSdkSandboxSession, Sandbox>();

/** Remembers which sandbox and which session are the same one, so that a round trip ends where it began. */
export const sandboxTwins = {
  pair(sandbox: Sandbox, session: AnyAiSdkSandboxSession, { isDefault }: { isDefault: boolean }): void {
    if (isDefault) sessions.set(sandbox, session);
    sandboxes.set(session, sandbox);
  },
  sessionOf: (sandbox: Sandbox) => sessions.get(sandbox),
  sandboxOf: (session: AnyAiSdkSandboxSession) => sandboxes.get(session),
};
