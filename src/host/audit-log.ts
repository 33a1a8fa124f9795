import { createHash, randomUUID } from 'node:crypto';
import { filledText, func, oneOf, texts, whole } from '../checks/kinds.js';
import { checkOptions, shapeOf } from '../checks/options.js';
import { toJsonSafe } from '../tool/json-safe.js';
import { createRedactor } from './redact.js';
import { RotatingFile } from './rotating-file.js';
import type { HostEvent } from './types.js';

export interface AuditLogOptions {
  /**
   * File that lines are appended to; made with mode 0600 when it is missing. Several processes may write to the same
   * one, with the same limits; `path.lock` is there while one of them puts it aside.
   */
  path?: string;
  /** Bytes after which the file is put aside as `path.1` and a new one begun. Default 16 MiB. */
  maxBytes?: number;
  /** Files put aside that are kept. Default 5. */
  keepFiles?: number;
  /** `decisions`: one line for each decision, of rules and of people, and nothing else. Default `all` events. */
  records?: 'all' | 'decisions';
  /** Gets each line, with its line end, instead of a file. */
  write?: (line: string) => void;
  /** Secrets that appear nowhere in the log, wherever they stand in an event. Shorter ones than 4 characters are refused. */
  redact?: readonly string[];
  /** Characters of arguments that are shown beside their digest. Default 200; 0 shows none. */
  previewCharacters?: number;
}

/** A listener for `onEvent`. */
export interface AuditLog {
  (event: HostEvent): void;
  /** Closes the file; later events are dropped. Idempotent. */
  close(): void;
}

const DEFAULT_PREVIEW = 200;
const NO_SINK = "createAuditLog takes 'path' or 'write', and one of them";

const OPTIONS = shapeOf<AuditLogOptions>({
  path: filledText,
  maxBytes: whole(1),
  keepFiles: whole(0),
  records: oneOf(['all', 'decisions']),
  write: func,
  redact: texts,
  previewCharacters: whole(0),
});

/**
 * Makes a subscriber that keeps one JSON line for each event, written before the call goes on. Arguments are kept as
 * a SHA-256 digest and a short preview, outputs not at all.
 * @throws TypeError for options that cannot be; the system's error when the file cannot be opened
 * @example
 * const audit = createAuditLog({ path: 'audit.jsonl', redact: [apiKey] });
 * const host = createToolHost({ onEvent: audit });
 */
export function createAuditLog(options: AuditLogOptions): AuditLog {
  if (options === undefined) throw new TypeError(NO_SINK);
  checkOptions('createAuditLog', options, OPTIONS);
  const preview = options.previewCharacters ?? DEFAULT_PREVIEW;
  const redact = createRedactor(options.redact ?? []);
  const sink = openSink(options);
  const digests = new Map<string, string>();
  const log = (event: HostEvent): void => {
    const record = toRecord(event, { preview, redact });
    noteDigest(digests, event, record);
    if (options.records === 'decisions' && !isDecision(event)) return;
    const whole = isDecision(event) ? decisionRecord(event, digests.get(callKey(event))) : record;
    sink.write(`${JSON.stringify(redact(whole))}\n`);
  };
  return Object.assign(log, { close: () => sink.close() });
}

/** Calls whose arguments are remembered until they are decided. */
const MAX_DIGESTS = 10_000;

/** A decision's own event does not carry the arguments that it was about. */
function noteDigest(digests: Map<string, string>, event: HostEvent, record: object): void {
  if (event.type === 'call.finished' && event.status !== 'awaiting-approval') digests.delete(callKey(event));
  if (event.type !== 'call.parsed' || !('argsSha256' in record)) return;
  digests.set(callKey(event), String(record.argsSha256));
  const [oldest] = digests.keys();
  if (digests.size > MAX_DIGESTS && oldest !== undefined) digests.delete(oldest);
}

/** Models number their calls anew in every session. */
function callKey({ sessionId = '', toolCallId }: { sessionId?: string; toolCallId: string }): string {
  return `${sessionId}\0${toolCallId}`;
}

type DecisionEvent = Extract<HostEvent, { type: 'decision' | 'approval.decided' }>;

function isDecision(event: HostEvent): event is DecisionEvent {
  return event.type === 'decision' || event.type === 'approval.decided';
}

/** One line that says all of a decision: what was asked, what was answered, by which rule and by what it holds. */
function decisionRecord(event: DecisionEvent, argsSha256: string | undefined): object {
  return { id: randomUUID(), ...event, ...(argsSha256 === undefined ? {} : { argsSha256 }) };
}

interface Sink {
  write(line: string): void;
  close(): void;
}

function openSink({ path, write, maxBytes = 16 * 1024 * 1024, keepFiles = 5 }: AuditLogOptions): Sink {
  if ((path === undefined) === (write === undefined)) throw new TypeError(NO_SINK);
  if (write !== undefined) return { write, close: () => {} };
  return new RotatingFile(path ?? '', { maxBytes, keepFiles });
}

interface RecordOptions {
  preview: number;
  redact: <T>(value: T) => T;
}

function toRecord(event: HostEvent, options: RecordOptions): object {
  switch (event.type) {
    case 'call.parsed': {
      const { args, ...rest } = event;
      return { ...rest, ...summarise('args', args, options) };
    }
    case 'tool.partial': {
      const { output, ...rest } = event;
      return { ...rest, ...summarise('output', output, { ...options, preview: 0 }) };
    }
    case 'call.finished': {
      // A stack, and whatever else hangs on an error, is no record.
      const { cause: _, ...rest } = event;
      return rest;
    }
    case 'approval.requested': {
      const { args, ...approval } = event.approval;
      return { ...event, approval: { ...approval, ...summarise('args', args, options) } };
    }
    case 'input.delta': {
      // Pieces of arguments: neither a digest nor a preview of one says anything.
      const { text, ...rest } = event;
      return { ...rest, characters: text.length };
    }
    default:
      return event;
  }
}

/** Secrets are taken out before the preview is cut: half a secret is one too. */
function summarise(name: string, value: unknown, { preview, redact }: RecordOptions): object {
  const plain = plainOf(value);
  const digest = createHash('sha256').update(JSON.stringify(plain)).digest('hex');
  const text = JSON.stringify(redact(plain));
  const shown = text.length > preview ? `${text.slice(0, preview)}…` : text;
  return { [`${name}Sha256`]: digest, ...(preview === 0 ? {} : { [`${name}Preview`]: shown }) };
}

function plainOf(value: unknown): unknown {
  try {
    return toJsonSafe(value);
  } catch (error) {
    return { unserialisable: (error as Error).message };
  }
}
