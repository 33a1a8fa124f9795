import type { HostMessage } from '../protocol/container.js';

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string';
const count: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const flag: Check = (value) => typeof value === 'boolean';
const object: Check = (value) => typeof value === 'object' && value !== null;
const words: Check = (value) => Array.isArray(value) && value.length > 0 && value.every(text);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

const SHAPES: { [type in HostMessage['type']]: Record<string, Check> } = {
  init: {
    version: count,
    uid: count,
    gid: count,
    env: object,
    plan: object,
    hardMs: count,
    graceMs: count,
    drainMs: count,
    startedEmpty: flag,
    workspace: text,
    runDirectory: text,
    scratchDirectory: text,
  },
  exec: {
    id: count,
    command: optional(text),
    argv: optional(words),
    cwd: text,
    env: object,
    timeoutMs: (value) => Number(value) > 0,
    maxOutputBytes: count,
    stream: flag,
  },
  spawn: { id: count, argv: words, cwd: text, env: object },
  stdin: { id: count, end: flag },
  credit: { id: count, bytes: count },
  signal: { id: count, signal: (value) => value === 'SIGTERM' || value === 'SIGKILL' || value === 'SIGINT' },
  cancel: { id: count },
  file: { id: count, operation: object, timeoutMs: count },
  tree: { id: count, operation: object, timeoutMs: count },
  enforce: { plan: object },
  ping: { id: count },
};

/** The host is trusted; a stream that was mixed up on the way is not. */
export function isHostMessage(header: unknown): header is HostMessage {
  if (typeof header !== 'object' || header === null || !('type' in header)) return false;
  if (typeof header.type !== 'string' || !Object.hasOwn(SHAPES, header.type)) return false;
  const shape = SHAPES[header.type as HostMessage['type']];
  return Object.entries(shape).every(([key, check]) => check((header as unknown as Record<string, unknown>)[key]));
}
