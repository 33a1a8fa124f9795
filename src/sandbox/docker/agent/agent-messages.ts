import { z } from 'zod';
import type { AgentMessage } from '../../../../sandbox/protocol/container.js';
import { ERROR_CODES, type ErrorCode } from '../../errors.js';

/** An agent runs next to hostile code and may itself have been taken over: whatever it says is checked against this before it is believed. */
const code = z.enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]]);
const id = z.int().min(0);
const count = z.int().min(0);

const agentMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('ready'),
    version: count,
    pid: count,
    node: z.string().max(100),
    shell: z.enum(['bash', 'sh']),
    marked: z.boolean(),
    tools: z.array(z.string().max(100)).max(100),
  }),
  z.strictObject({ type: z.literal('failed'), message: z.string().max(10_000) }),
  z.strictObject({ type: z.literal('started'), id, pid: count }),
  z.strictObject({ type: z.literal('output'), id, stream: z.enum(['stdout', 'stderr']) }),
  z.strictObject({ type: z.literal('stdin-credit'), id, bytes: count }),
  z.strictObject({
    type: z.literal('exec-result'),
    id,
    exitCode: z.int().min(0).max(255).nullable(),
    signal: z
      .string()
      .regex(/^SIG[A-Z0-9]{1,12}$/)
      .optional(),
    cause: code.optional(),
    killed: z.enum(['verified', 'unverified']).optional(),
    stillRunning: z
      .array(z.strictObject({ pid: count, command: z.string().max(1_000) }))
      .max(100)
      .optional(),
    stdoutBytes: count,
    droppedStdoutBytes: count,
    droppedStderrBytes: count,
  }),
  z.strictObject({ type: z.literal('signalled'), id, delivered: z.boolean() }),
  z.strictObject({ type: z.literal('file-result'), id, value: z.unknown() }),
  z.strictObject({
    type: z.literal('error'),
    id,
    code,
    message: z.string().max(10_000),
    path: z.string().max(10_000).optional(),
  }),
  z.strictObject({ type: z.literal('pong'), id }),
  z.strictObject({ type: z.literal('going'), reason: z.enum(['idle', 'expired']) }),
]);

/** @returns undefined for anything that is not a message */
export function readAgentMessage(header: unknown): AgentMessage | undefined {
  const parsed = agentMessage.safeParse(header);
  return parsed.success ? (parsed.data as AgentMessage) : undefined;
}
