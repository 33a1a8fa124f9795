import { incomingPath, newTransfer } from '../../../../sandbox/protocol/incoming-path.js';
import { PART_BYTES, type TreeEntry } from '../../../../sandbox/protocol/tree-operations.js';
import { SandboxError } from '../../errors.js';
import { type AgentTree, batches } from '../agent/agent-tree.js';

/** Where files come from. */
export type TreeSource = Pick<AgentTree, 'pack' | 'readPart'>;

/**
 * Makes entries of one tree in another, parents first, with what its files hold there now.
 * @returns paths of files that could not be read; they were not made
 * @throws SandboxError `stale_file` for a large file that changed on its way
 */
export async function transferEntries(
  from: TreeSource,
  to: AgentTree,
  entries: readonly TreeEntry[],
): Promise<string[]> {
  const unread: string[] = [];
  const closed = entries.filter(isClosed);
  const opened = entries.map((entry) => (isClosed(entry) ? { ...entry, mode: entry.mode | 0o700 } : entry));
  // What is small goes first: a large file makes the directories it needs, but not with their modes.
  for (const batch of batches(opened.filter((entry) => !isLarge(entry)))) {
    const { contents, missing } = await readSmall(from, batch);
    unread.push(...missing);
    const gone = new Set(missing);
    await to.unpack(
      batch.filter(({ path }) => !gone.has(path)),
      contents,
    );
  }
  for (const entry of entries) if (isLarge(entry)) await transferLarge(from, to, entry);
  // Only now, the innermost first: nothing more can be made in them.
  for (const batch of batches(closed.toReversed())) await to.unpack(batch, new Map());
  return unread;
}

/** Its owner can make nothing in it, or not enter it. */
function isClosed({ type, mode }: TreeEntry): boolean {
  return type === 'directory' && (mode & 0o700) !== 0o700;
}

/** The contents of files, which are copied out of their frame; and the paths of those that cannot be read. */
export async function readSmall(
  tree: TreeSource,
  entries: readonly TreeEntry[],
): Promise<{ contents: Map<string, Uint8Array>; missing: string[] }> {
  const paths = entries.filter(({ type }) => type === 'file').map(({ path }) => path);
  const packed = paths.length === 0 ? [] : await tree.pack(paths);
  const contents = new Map<string, Uint8Array>();
  const missing: string[] = [];
  for (const [index, path] of paths.entries()) {
    const bytes = packed[index];
    if (bytes === undefined) missing.push(path);
    else contents.set(path, new Uint8Array(bytes));
  }
  return { contents, missing };
}

export function isLarge({ type, size }: TreeEntry): boolean {
  return type === 'file' && size > PART_BYTES;
}

async function transferLarge(from: TreeSource, to: AgentTree, entry: TreeEntry): Promise<void> {
  const transfer = newTransfer();
  const first = await from.readPart(entry.path, 0);
  let part = first;
  for (let offset = 0; ; ) {
    const end = offset + part.bytes.length;
    const last = end >= entry.size;
    if (part.version !== first.version || end > entry.size || (!last && part.bytes.length === 0)) {
      if (offset > 0) await to.drop([incomingPath(entry.path, transfer)]);
      throw new SandboxError('stale_file', `'${entry.path}' changed while it was copied. Make the call again`);
    }
    const written = to.writePart(entry, { transfer, offset, last, bytes: part.bytes });
    if (last) return await written;
    // The next is read while this one is written.
    [part] = await Promise.all([from.readPart(entry.path, end), written]);
    offset = end;
  }
}
