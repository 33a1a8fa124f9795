import { z } from 'zod';
import type { WorkerMessage } from '../../../sandbox/protocol/isolate.js';
import { ERROR_CODES, type ErrorCode } from '../errors.js';

/** A worker runs next to hostile code: whatever it says is checked against this before it is believed. */
const code = z.enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]]);
const id = z.int().min(0);
const count = z.number().min(0);

const workerMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready'), pid: id, snapshotBuilt: z.boolean(), uid: z.int() }),
  z.strictObject({ type: z.literal('failed'), message: z.string().max(10_000) }),
  z.strictObject({ type: z.literal('output'), id, stream: z.enum(['stdout', 'stderr']) }),
  z.strictObject({
    type: z.literal('exec-result'),
    id,
    exitCode: z.int().nullable(),
    cause: code.optional(),
    stdoutBytes: count,
    droppedStdoutBytes: count,
    droppedStderrBytes: count,
  }),
  z.strictObject({
    type: z.literal('evaluate-result'),
    id,
    ok: z.boolean(),
    code: code.optional(),
    logs: z.array(z.string()).max(10_000),
  }),
  z.strictObject({ type: z.literal('call'), id, callId: id, name: z.string().max(200) }),
  z.strictObject({ type: z.literal('file-result'), id, value: z.unknown() }),
  z.strictObject({
    type: z.literal('error'),
    id,
    code,
    message: z.string().max(10_000),
    path: z.string().max(10_000).optional(),
  }),
]);

/** @returns undefined for anything that is not a message */
export function readWorkerMessage(header: unknown): WorkerMessage | undefined {
  const parsed = workerMessage.safeParse(header);
  return parsed.success ? (parsed.data as WorkerMessage) : undefined;
}
