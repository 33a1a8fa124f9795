import { adaptSandbox } from '../../../src/sandbox/adapted-sandbox.js';
import type { Sandbox, SandboxAdapter, SandboxSession } from '../../../src/sandbox/contract.js';
import type { EnforcementPlan } from '../../../src/sandbox/plan.js';

/** A bare adapter that answers with what it was told to run, and keeps what was written. */
export function echoAdapter(written = new Map<string, string>()): SandboxAdapter {
  return {
    name: 'echo',
    run: async (cmd, args) => ({ stdout: [cmd, ...args].join(' '), stderr: '', exitCode: 0 }),
    writeFile: async (path, content) => {
      written.set(path, content);
    },
  };
}

export function plainSandbox(): Sandbox {
  return adaptSandbox(echoAdapter());
}

export interface TestSession extends SandboxSession {
  readonly log: string[];
  readonly plans: EnforcementPlan[];
}

/** A session that keeps a log of its own life. `failStarts` starts fail first. */
export function testSession({ failStarts = 0 }: { failStarts?: number } = {}): TestSession {
  const log: string[] = [];
  const plans: EnforcementPlan[] = [];
  let failures = failStarts;
  const session: TestSession = {
    ...plainSandbox(),
    name: 'test',
    id: 'test-1',
    log,
    plans,
    async start() {
      log.push('start');
      if (failures > 0) {
        failures -= 1;
        throw new Error('no room');
      }
    },
    enforce: (plan) => {
      plans.push(plan);
    },
    changes: async () => [],
    commit: async () => ({ added: 0, modified: 0, deleted: 0 }),
    discard: async () => {},
    async dispose() {
      log.push('dispose');
    },
    [Symbol.asyncDispose]: () => session.dispose(),
  };
  return session;
}
