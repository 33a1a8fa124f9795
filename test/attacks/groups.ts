import type { Attacks } from './attack.js';
import { boundary } from './cases/boundary.js';
import { escaping } from './cases/escape.js';
import { fsContent } from './cases/fs-content.js';
import { fsKinds } from './cases/fs-kinds.js';
import { fsPaths } from './cases/fs-paths.js';
import { fsRace } from './cases/fs-race.js';
import { fuzz } from './cases/fuzz.js';
import { hostCalls } from './cases/host-calls.js';
import { hostPolicy } from './cases/host-policy.js';
import { isolation } from './cases/isolation.js';
import { load } from './cases/load.js';
import { mcp } from './cases/mcp.js';
import { memory } from './cases/memory.js';
import { policyCommands } from './cases/policy-commands.js';
import { reaper } from './cases/reaper.js';
import { run } from './cases/run.js';
import { search } from './cases/search.js';
import { supply } from './cases/supply.js';
import { timeout } from './cases/timeout.js';

/** Every attack there is; each group has a test file of its own, so that they run side by side. */
export const ATTACK_GROUPS: Readonly<Record<string, Attacks>> = {
  boundary,
  escaping,
  fsContent,
  fsKinds,
  fsPaths,
  fsRace,
  fuzz,
  hostCalls,
  hostPolicy,
  isolation,
  load,
  mcp,
  memory,
  policyCommands,
  reaper,
  run,
  search,
  supply,
  timeout,
};
