import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { toJsonSafe } from '../tool/json-safe.js';
import { createRedactor } from './redact.js';
import type { HostEvent } from './types.js';

export interface AuditLogOptions {
  /** File that lines are appended to; made with mode 0600 when it is missing. */
  path?: string;
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

/**
 * Makes a subscriber that keeps one JSON line for each event, written before the call goes on. Arguments are kept as
 * a SHA-256 digest and a short preview, outputs not at all.
 * @throws TypeError for options that cannot be; the system's error when the file cannot be opened
 * @example
 * const audit = createAuditLog({ path: 'audit.jsonl', redact: [apiKey] });
 * const host = createToolHost({ onEvent: audit });
 */
export function createAuditLog(options: AuditLogOptions): AuditLog {
  const preview = checkPreview(options.previewCharacters ?? DEFAULT_PREVIEW);
  const redact = createRedactor(options.redact ?? []);
  const sink = openSink(options);
  const log = (event: HostEvent): void => {
    sink.write(`${JSON.stringify(redact(toRecord(event, { preview, redact })))}\n`);
  };
  return Object.assign(log, { close: () => sink.close() });
}

interface Sink {
  write(line: string): void;
  close(): void;
}

function openSink({ path, write }: AuditLogOptions): Sink {
  if ((path === undefined) === (write === undefined))
    throw new TypeError("createAuditLog takes 'path' or 'write', and one of them");
  if (write !== undefined) return { write, close: () => {} };
  // No link is followed: a log in a directory that others write must not become a write somewhere else.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
  let file: number | undefined = openSync(path ?? '', flags, 0o600);
  return {
    write: (line) => {
      if (file !== undefined) writeWhole(file, line);
    },
    close: () => {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

let warned = false;

/** The host swallows what a listener throws; a log that cannot be written must not be silent. */
function writeWhole(file: number, line: string): void {
  try {
    writeSync(file, line);
  } catch (error) {
    if (!warned)
      process.emitWarning(`The audit log cannot be written: ${(error as Error).message}`, 'CaissonAuditWarning');
    warned = true;
  }
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
    case 'approval.requested': {
      const { args, ...approval } = event.approval;
      return { ...event, approval: { ...approval, ...summarise('args', args, options) } };
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

function checkPreview(characters: number): number {
  if (Number.isInteger(characters) && characters >= 0) return characters;
  throw new TypeError(`createAuditLog: 'previewCharacters' must be a whole number of at least 0, not ${characters}`);
}
