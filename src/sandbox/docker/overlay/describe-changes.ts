import type { ScannedEntry } from '../../../../sandbox/protocol/tree-operations.js';
import type { Change } from '../../contract.js';
import { type AgentTree, batches } from '../agent/agent-tree.js';
import { readSmall } from './transfer-entries.js';
import type { Difference } from './tree-state.js';

const MAX_TEXT_BYTES = 1024 * 1024;
const MAX_ALL_TEXT_BYTES = 64 * 1024 * 1024;

/** Differences with the texts before and after, where they are text, small, and not of a path in `closed`. What became another type is two changes. */
export async function describeChanges(
  all: readonly Difference[],
  { origin, copy, closed }: { origin: AgentTree; copy: AgentTree; closed: ReadonlySet<string> },
): Promise<Change[]> {
  const differences = all.flatMap(apart);
  const open = differences.filter(({ path }) => !closed.has(path));
  const befores = await textsOf(
    origin,
    open.flatMap(({ was }) => was ?? []),
  );
  const afters = await textsOf(
    copy,
    open.flatMap(({ now }) => now ?? []),
  );
  return differences.map(({ path, kind, now, was }) => {
    const entry = now ?? was;
    const change: Change = {
      path,
      kind,
      type: entry?.type ?? 'file',
      ...(entry === undefined ? {} : { mode: entry.mode }),
    };
    if (now !== undefined && was !== undefined && now.mode !== was.mode) change.beforeMode = was.mode;
    const before = befores.get(path);
    const after = afters.get(path);
    // One side of a change alone would read as a file that came or went.
    if (kind !== 'added' && before !== undefined && (kind === 'deleted' || after !== undefined)) change.before = before;
    if (kind !== 'deleted' && after !== undefined && (kind === 'added' || before !== undefined)) change.after = after;
    return change;
  });
}

function apart(difference: Difference): Difference[] {
  const { path, now, was } = difference;
  if (now === undefined || was === undefined || now.type === was.type) return [difference];
  return [
    { path, kind: 'deleted', was },
    { path, kind: 'added', now },
  ];
}

async function textsOf(tree: AgentTree, entries: readonly ScannedEntry[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const files: ScannedEntry[] = [];
  let left = MAX_ALL_TEXT_BYTES;
  for (const entry of entries) {
    if (entry.type === 'symlink' && entry.target !== undefined) texts.set(entry.path, entry.target);
    if (entry.type !== 'file' || entry.size > Math.min(MAX_TEXT_BYTES, left)) continue;
    left -= entry.size;
    files.push(entry);
  }
  for (const batch of batches(files)) {
    const { contents } = await readSmall(tree, batch);
    for (const [path, bytes] of contents) {
      const text = textOf(bytes);
      if (text !== undefined) texts.set(path, text);
    }
  }
  return texts;
}

function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.length > MAX_TEXT_BYTES || bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
