import { z } from 'zod';
import type { NamedBody, ScanBody, TreeEntry, TreeOperation } from '../../../sandbox/protocol/tree-operations.js';
import { SandboxError } from '../errors.js';
import type { FileReply } from '../file-replies.js';
import type { EnforcementPlan } from '../plan.js';
import type { AgentConnection } from './agent-connection.js';
import { FileCall } from './file-call.js';

/** Bytes of file content in one frame, unless a single file has more. */
const BATCH_BYTES = 8 * 1024 * 1024;
const BATCH_ENTRIES = 2_000;
const TIMEOUT_MS = 10 * 60 * 1000;

const relativePath = z
  .string()
  .min(1)
  .max(4096)
  .refine(
    (path) =>
      !path.startsWith('/') &&
      !path.includes('\0') &&
      path.split('/').every((part) => part !== '' && part !== '.' && part !== '..'),
  );
const mode = z.int().min(0).max(0o777);
const size = z.number().min(0);

/** Checked like everything from a guest: above all that no path is more than a path below the workspace. */
const scanBody = z.strictObject({
  entries: z.array(
    z.strictObject({
      path: relativePath,
      type: z.enum(['file', 'directory', 'symlink']),
      mode,
      size,
      mtimeMs: z.number(),
      version: z.string().max(500),
      target: z.string().max(4096).optional(),
      hash: z.string().length(64).optional(),
    }),
  ),
  special: z.array(relativePath),
  large: z.array(relativePath),
});

const namedBody = z.strictObject({
  entries: z.array(
    z.strictObject({
      path: relativePath,
      type: z.enum(['file', 'directory']),
      kind: z.enum(['denyRead', 'denyWrite']),
      rule: z.string(),
    }),
  ),
  unmatched: z.array(z.string()),
});

/** Work on a whole tree at the other end of a connection. */
export class AgentTree {
  readonly #connection: AgentConnection;

  constructor(connection: AgentConnection) {
    this.#connection = connection;
  }

  async scan(plan: EnforcementPlan, hash: boolean): Promise<ScanBody> {
    return parse(scanBody, await this.#call({ op: 'scan', plan, hash })) as ScanBody;
  }

  async named(plan: EnforcementPlan): Promise<NamedBody> {
    return parse(namedBody, await this.#call({ op: 'named', plan })) as NamedBody;
  }

  /** The files' contents in order; `undefined` for one that cannot be read. */
  async pack(paths: readonly string[]): Promise<(Uint8Array | undefined)[]> {
    const { value, body } = await this.#call({ op: 'pack', paths: [...paths] });
    const sizes = z.array(z.int().min(-1)).length(paths.length).safeParse(value);
    if (!sizes.success) throw malformed();
    let offset = 0;
    return sizes.data.map((length) => {
      if (length === -1) return undefined;
      offset += length;
      return body.subarray(offset - length, offset);
    });
  }

  /** Makes the entries, parents first. Contents are of files, by path. */
  async unpack(entries: readonly TreeEntry[], contents: ReadonlyMap<string, Uint8Array>): Promise<void> {
    const bodies = entries.map(({ path, type }) =>
      type === 'file' ? (contents.get(path) ?? new Uint8Array(0)) : undefined,
    );
    const sized = entries.map((entry, index) => plainEntry(entry, bodies[index]?.length ?? 0));
    await this.#call({ op: 'unpack', entries: sized }, Buffer.concat(bodies.filter((bytes) => bytes !== undefined)));
  }

  async standIn(paths: readonly string[]): Promise<void> {
    if (paths.length > 0) await this.#call({ op: 'stand-in', paths: [...paths] });
  }

  async drop(paths: readonly string[]): Promise<void> {
    if (paths.length > 0) await this.#call({ op: 'drop', paths: [...paths] });
  }

  #call(operation: TreeOperation, body?: Uint8Array): Promise<FileReply> {
    return new FileCall(this.#connection, { type: 'tree', operation, body, timeoutMs: TIMEOUT_MS }).result;
  }
}

/** Cuts entries into pieces that fit a frame. */
export function batches(entries: readonly TreeEntry[]): TreeEntry[][] {
  const result: TreeEntry[][] = [];
  let current: TreeEntry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    if (current.length > 0 && (bytes + entry.size > BATCH_BYTES || current.length >= BATCH_ENTRIES)) {
      result.push(current);
      current = [];
      bytes = 0;
    }
    current.push(entry);
    bytes += entry.size;
  }
  if (current.length > 0) result.push(current);
  return result;
}

function plainEntry({ path, type, mode: bits, mtimeMs, target }: TreeEntry, length: number): TreeEntry {
  return { path, type, mode: bits, size: length, mtimeMs, ...(target === undefined ? {} : { target }) };
}

function parse(schema: z.ZodType, { body }: FileReply): unknown {
  try {
    return schema.parse(JSON.parse(Buffer.from(body).toString('utf8')));
  } catch {
    throw malformed();
  }
}

function malformed(): SandboxError {
  return new SandboxError('adapter_bug', 'The sandbox answered with something else than what is in its workspace');
}
