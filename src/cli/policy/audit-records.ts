import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Decision, PermissionMode } from '../../permissions/rule.js';

/** One decision, as the audit log keeps it. */
export interface AuditRecord {
  id?: string;
  type: string;
  time: string;
  sessionId?: string;
  toolCallId?: string;
  toolName?: string;
  argsSha256?: string;
  decision?: Decision;
  mode?: PermissionMode;
  approvalId?: string;
}

export interface AuditFilter {
  tool?: string;
  decision?: string;
  session?: string;
  rule?: string;
  /** Milliseconds since 1970. */
  since?: number;
}

const CHUNK_BYTES = 256 * 1024;

/** Reads a log that others write to: whole lines only, from where it stopped, and from the start of one that was put aside. */
export class AuditReader {
  readonly #path: string;
  #position = 0;
  #inode: number | undefined;
  #rest = '';

  constructor(path: string) {
    this.#path = path;
  }

  /** The decisions that came since the last call. @throws the system's error for a log that cannot be read */
  next(filter: AuditFilter): AuditRecord[] {
    return this.#lines()
      .flatMap(toRecord)
      .filter((record) => record.type === 'decision' && matches(record, filter));
  }

  #lines(): string[] {
    const file = openSync(this.#path, 'r');
    try {
      const { ino, size } = fstatSync(file);
      if (this.#inode !== ino || size < this.#position) {
        this.#inode = ino;
        this.#position = 0;
        this.#rest = '';
      }
      let text = this.#rest;
      const buffer = Buffer.alloc(CHUNK_BYTES);
      const decoder = new TextDecoder();
      for (let count = 1; count > 0; this.#position += count) {
        count = readSync(file, buffer, 0, buffer.length, this.#position);
        text += decoder.decode(buffer.subarray(0, count), { stream: true });
      }
      const lines = text.split('\n');
      this.#rest = lines.pop() ?? '';
      return lines;
    } finally {
      closeSync(file);
    }
  }
}

/** A line that was cut off by a crash is left out: the others still count. */
function toRecord(line: string): AuditRecord[] {
  try {
    const record = JSON.parse(line) as AuditRecord | null;
    return typeof record === 'object' && record !== null ? [record] : [];
  } catch {
    return [];
  }
}

function matches({ toolName, decision, sessionId, time }: AuditRecord, filter: AuditFilter): boolean {
  if (filter.tool !== undefined && toolName !== filter.tool) return false;
  if (filter.decision !== undefined && decision?.effect !== filter.decision) return false;
  if (filter.session !== undefined && sessionId !== filter.session) return false;
  if (filter.rule !== undefined && !`${decision?.rule?.text} ${decision?.rule?.source}`.includes(filter.rule))
    return false;
  return filter.since === undefined || Date.parse(time) >= filter.since;
}
