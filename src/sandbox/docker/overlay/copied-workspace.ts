import type { ScanBody } from '../../../../sandbox/protocol/tree-operations.js';
import { SandboxUnavailableError } from '../../errors.js';
import { EMPTY_PLAN, type EnforcementPlan } from '../../plan.js';
import type { AgentConnection } from '../agent/agent-connection.js';
import { AgentTree } from '../agent/agent-tree.js';
import type { LocalTree } from '../agent/local-tree.js';
import { OverlayWorkspace } from './overlay-workspace.js';
import { transferEntries } from './transfer-entries.js';
import type { Base } from './tree-state.js';

/**
 * Copies a workspace into a sandbox over its agent's stream. Works with any engine, local or not.
 * @param found what the origin has, with hashes
 */
export async function fillCopy(
  connection: AgentConnection,
  { origin, found, plan }: { origin: LocalTree; found: ScanBody; plan: EnforcementPlan },
): Promise<OverlayWorkspace> {
  const copy = new AgentTree(connection);
  await transferEntries(origin, copy, found.entries);
  await copy.standIn(found.special);
  const { entries } = await copy.scan(EMPTY_PLAN, false);
  const versions = new Map(entries.map(({ path, version }) => [path, version]));
  const base = new Map<string, Base>();
  for (const entry of found.entries) {
    const version = versions.get(entry.path);
    if (version !== undefined) base.set(entry.path, { origin: entry, version });
  }
  return new OverlayWorkspace({ form: 'copy', origin, copy, plan, base: Promise.resolve(base) });
}

const MiB = 1024 * 1024;
/** Room for what a file takes beside its bytes. */
const ENTRY_BYTES = 4096;

/**
 * How much room the copy takes.
 * @throws SandboxUnavailableError `unsupported` where that does not fit, naming the biggest directories
 */
export function requireRoom({ entries }: ScanBody, room: number): { bytes: number; entries: number } {
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  const bytes = total + entries.length * ENTRY_BYTES;
  if (bytes <= room) return { bytes, entries: entries.length };
  const sums = new Map<string, number>();
  for (const { path, size } of entries) {
    const top = path.split('/', 1)[0] ?? path;
    sums.set(top, (sums.get(top) ?? 0) + size + ENTRY_BYTES);
  }
  const biggest = [...sums]
    .sort(([, one], [, other]) => other - one)
    .slice(0, 3)
    .map(([name, size]) => `'${name}' (${Math.ceil(size / MiB)} MiB)`);
  throw new SandboxUnavailableError(
    `Cannot copy this workspace into memory: it takes ${Math.ceil(bytes / MiB)} MiB, and at most ${Math.max(0, Math.floor(room / MiB))} MiB fit. The biggest: ${biggest.join(', ')}. Raise 'limits.memoryBytes', deny these directories to be read, or use workspaceMode 'direct'`,
    { code: 'unsupported' },
  );
}
