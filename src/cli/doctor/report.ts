import {
  DEFAULT_LIMITS,
  HARD_LIFE_MS,
  IDLE_LIFE_MS,
  KILL_GRACE_MS,
  MAX_TIMEOUT_MS,
  MODEL_OUTPUT_CHARACTERS,
} from '../../sandbox/limits.js';
import type { BackendReport, Check } from './check.js';
import { dockerBackend } from './docker-backend.js';
import { isolateBackend } from './isolate-backend.js';
import { isolatedVmCheck } from './isolated-vm-check.js';
import { nodeCheck } from './node-check.js';
import { privateStateCheck } from './private-state-check.js';
import { snapshotCheck } from './snapshot-check.js';
import { userCheck } from './user-check.js';

export interface DoctorReport {
  version: string;
  /** Whether at least one backend works. */
  ok: boolean;
  checks: Check[];
  backends: BackendReport[];
  limits: Record<string, number>;
}

/** Everything `caisson doctor` knows about this machine. */
export async function doctorReport(version: string): Promise<DoctorReport> {
  const checks = [nodeCheck(), await isolatedVmCheck(), userCheck(), privateStateCheck()];
  const backends = [await isolateBackend(), await dockerBackend()];
  checks.push(snapshotCheck());
  return {
    version,
    ok: backends.some((backend) => backend.works),
    checks,
    backends,
    limits: {
      ...DEFAULT_LIMITS,
      maxTimeoutMs: MAX_TIMEOUT_MS,
      modelOutputCharacters: MODEL_OUTPUT_CHARACTERS,
      killGraceMs: KILL_GRACE_MS,
      idleLifeMs: IDLE_LIFE_MS,
      hardLifeMs: HARD_LIFE_MS,
    },
  };
}
