import type { Change, CommitResult } from '../contract.js';
import type { EnforcementPlan } from '../plan.js';
import type { AgentConnection, ReadyMessage } from './agent/agent-connection.js';
import type { AgentTransport } from './agent/agent-transport.js';
import type { PathGuard } from './names/path-guard.js';
import type { TreeSource } from './overlay/transfer-entries.js';
import type { TreeInventory } from './tree-snapshots.js';

/** An agent that is ready, and what holds in the world it lives in. */
export interface OpenAgent {
  connection: AgentConnection;
  transport: AgentTransport;
  ready: ReadyMessage;
  /** Where changes are kept apart from their origin. */
  overlay?: Overlay;
  /** Where rules hold for what is there at the start: knows what came since. */
  guard?: PathGuard;
  /** Path rules that its commands can go around. Default: none. */
  unenforced?: readonly string[];
}

/** The work of `changes()`, `commit()` and `discard()`. */
export interface Overlay {
  /** `volume`: the sandbox looks through to the origin; `copy`: it has one of its own. */
  readonly form: 'volume' | 'copy';
  /** @param plan the content of what it denies to read is left out */
  changes(plan: EnforcementPlan): Promise<Change[]>;
  /** @param beforeWriting called with what is about to change in the origin, once everything was checked */
  commit(plan: EnforcementPlan, beforeWriting: (paths: readonly string[]) => Promise<void>): Promise<CommitResult>;
  discard(): Promise<void>;
  /** For snapshots: all there is, and which of it the origin has too. */
  inventory(): Promise<TreeInventory>;
  readonly origin: TreeSource;
}
