import { z } from 'zod';
import type { FileReplies } from '../../sandbox/protocol/file-operations.js';
import type { Change } from './contract.js';
import { SandboxError } from './errors.js';

/** One operation's answer as it came from a guest: not yet checked. */
export interface FileReply {
  value: unknown;
  body: Uint8Array;
}

/** The shape of each operation's reply. A guest that answers anything else is not believed. */
const type = z.enum(['file', 'directory', 'symlink', 'other']);
const count = z.number().min(0);
const notes = {
  resultsLimited: z.boolean(),
  walkLimited: z.boolean(),
  filesWalked: count,
  ignoredDirectories: count,
  unreadable: count,
};
const done = z.literal(true);

const replies: { [op in keyof FileReplies]: z.ZodType } = {
  readFile: done.nullable(),
  writeFile: done,
  stat: z.strictObject({ type, size: count, mode: count, mtimeMs: z.number(), version: z.string() }).nullable(),
  list: z.array(z.strictObject({ name: z.string(), type, size: count, target: z.string().optional() })).nullable(),
  mkdir: done,
  remove: z.boolean(),
  rename: done,
  glob: z.strictObject({ paths: z.array(z.string()), ...notes }),
  grep: z.strictObject({
    matches: z.array(
      z.strictObject({
        path: z.string(),
        line: count,
        text: z.string(),
        before: z.array(z.string()).optional(),
        after: z.array(z.string()).optional(),
      }),
    ),
    files: count,
    binaryFiles: count,
    largeFiles: count,
    ...notes,
  }),
  changes: done,
  commit: z.strictObject({ added: count, modified: count, deleted: count }),
  discard: done,
};

const changes = z.array(
  z.strictObject({
    path: z.string(),
    kind: z.enum(['added', 'modified', 'deleted']),
    type: z.enum(['file', 'directory', 'symlink']),
    mode: count.optional(),
    beforeMode: count.optional(),
    before: z.string().optional(),
    after: z.string().optional(),
  }),
);

/** @throws SandboxError `adapter_bug` for a reply of another shape */
export function readFileReply<O extends keyof FileReplies>(op: O, reply: FileReply): FileReplies[O] {
  const parsed = replies[op].safeParse(reply.value);
  if (!parsed.success) throw malformed(op);
  return parsed.data as FileReplies[O];
}

/** @throws SandboxError `adapter_bug` for a body of another shape */
export function readChanges(body: Uint8Array): Change[] {
  try {
    return changes.parse(JSON.parse(Buffer.from(body).toString('utf8'))) as Change[];
  } catch {
    throw malformed('changes');
  }
}

function malformed(op: string): SandboxError {
  return new SandboxError('adapter_bug', `The sandbox answered '${op}' with something else than its result`);
}
