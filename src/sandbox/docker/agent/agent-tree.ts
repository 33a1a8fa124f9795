import { z } from 'zod';
import type {
  HashedFile,
  NamedBody,
  ScanBody,
  TreeEntry,
  TreeOperation,
} from '../../../../sandbox/protocol/tree-operations.js';
import { PART_BYTES } from '../../../../sandbox/protocol/tree-operations.js';
import { SandboxError } from '../../errors.js';
import type { FileReply } from '../../file-replies.js';
import type { EnforcementPlan } from '../../plan.js';
import type { AgentConnection } from './agent-connection.js';
import { FileCall } from './file-call.js';

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
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const version = z.string().max(500);

/** Checked like everything from a guest: above all that no path is more than a path below the workspace. */
const scanBody = z.strictObject({
  entries: z.array(
    z.strictObject({
      path: relativePath,
      type: z.enum(['file', 'directory', 'symlink']),
      mode,
      size,
      mtimeMs: z.number(),
      version,
      target: z.string().max(4096).optional(),
      hash: hash.optional(),
    }),
  ),
  special: z.array(relativePath),
  closed: z.array(relativePath),
  denied: z.array(relativePath),
  unnamed: z.array(z.strictObject({ path: relativePath, version })),
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
});

const hashes = z.array(z.strictObject({ hash, version }).nullable());

/** Work on a whole tree at the other end of a connection. */
export class AgentTree {
  readonly #connection: AgentConnection;

  constructor(connection: AgentConnection) {
    this.#connection = connection;
  }

  async scan(plan: EnforcementPlan, hash: boolean): Promise<ScanBody> {
    return parse(scanBody, await this.#call({ op: 'scan', plan, hash })) as ScanBody;
  }

  /** @param links symbolic links count as files; otherwise they are left out */
  async named(plan: EnforcementPlan, links = false): Promise<NamedBody> {
    return parse(namedBody, await this.#call({ op: 'named', plan, links })) as NamedBody;
  }

  /** In order: the rule that keeps a path from being written or read; `null` where none does. `links`: of the tree, with where each leads. */
  async denied(
    plan: EnforcementPlan,
    paths: readonly string[],
    links: Readonly<Record<string, string>> = {},
  ): Promise<(string | null)[]> {
    const found: (string | null)[] = [];
    // A pnpm workspace has more of them than fit a header.
    const body = Object.keys(links).length === 0 ? undefined : Buffer.from(JSON.stringify(links), 'utf8');
    for (const some of chunks(paths)) {
      const { value } = await this.#call({ op: 'denied', plan, paths: some }, body);
      const parsed = z.array(z.string().nullable()).length(some.length).safeParse(value);
      if (!parsed.success) throw malformed();
      found.push(...parsed.data);
    }
    return found;
  }

  /** In order; `null` for a file that cannot be read. */
  async hash(paths: readonly string[]): Promise<(HashedFile | null)[]> {
    const found: (HashedFile | null)[] = [];
    for (const some of chunks(paths)) {
      const { value } = await this.#call({ op: 'hash', paths: some });
      const parsed = hashes.length(some.length).safeParse(value);
      if (!parsed.success) throw malformed();
      found.push(...parsed.data);
    }
    return found;
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

  async readPart(path: string, offset: number): Promise<{ bytes: Uint8Array; version: string }> {
    const { value, body } = await this.#call({ op: 'read-part', path, offset });
    const parsed = version.safeParse(value);
    if (!parsed.success) throw malformed();
    return { bytes: body, version: parsed.data };
  }

  async writePart(
    entry: TreeEntry,
    part: { transfer: string; offset: number; last: boolean; bytes: Uint8Array },
  ): Promise<void> {
    const { bytes, ...rest } = part;
    await this.#call({ op: 'write-part', entry: plainEntry(entry, entry.size), ...rest }, bytes);
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
    for (const some of chunks(paths.toSorted().reverse())) await this.#call({ op: 'drop', paths: some });
  }

  #call(operation: TreeOperation, body?: Uint8Array): Promise<FileReply> {
    return new FileCall(this.#connection, { type: 'tree', operation, body, timeoutMs: TIMEOUT_MS }).result;
  }
}

/** Paths travel in a frame's header, which is small. */
function chunks(paths: readonly string[]): string[][] {
  return groups(paths, (path) => path.length, HEADER_CHARACTERS);
}

/** Cuts entries into pieces that fit a frame; none may have over `PART_BYTES`. */
export function batches<E extends TreeEntry>(entries: readonly E[]): E[][] {
  return groups(entries, ({ path }) => path.length, HEADER_CHARACTERS).flatMap((some) =>
    groups(some, ({ size: bytes }) => bytes, PART_BYTES),
  );
}

const HEADER_CHARACTERS = 256 * 1024;

function groups<T>(all: readonly T[], weigh: (one: T) => number, limit: number): T[][] {
  const result: T[][] = [];
  let current: T[] = [];
  let weight = 0;
  for (const one of all) {
    if (current.length > 0 && (weight + weigh(one) > limit || current.length >= BATCH_ENTRIES)) {
      result.push(current);
      current = [];
      weight = 0;
    }
    current.push(one);
    weight += weigh(one);
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
