import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import type { Decision, PermissionMode, RuleEffect } from '../../permissions/rule.js';

/** One decision, as the audit log keeps it. */
export interface AuditRecord {
  id?: string;
  type: string;
  time: string;
  sessionId?: string;
  toolCallId?: string;
  toolName?: string;
  argsSha256?: string;
  /** What the rules said, or what a person answered. */
  decision?: Decision | keyof typeof ANSWERS;
  mode?: PermissionMode;
  approvalId?: string;
  note?: string;
  always?: string[];
}

export interface AuditFilter {
  tool?: string;
  decision?: string;
  session?: string;
  rule?: string;
  /** Milliseconds since 1970. */
  since?: number;
}

const ANSWERS = { approve: 'allow', reject: 'deny', defer: 'ask' } as const;
const TYPES = ['decision', 'approval.decided'];
const CHUNK_BYTES = 256 * 1024;

/** Reads a log that others write to: whole lines only, from where it stopped, and from the start of one that was put aside. */
export class AuditReader {
  readonly #path: string;
  #open: { file: number; inode: number; position: number; decoder: StringDecoder } | undefined;
  #rest = '';

  constructor(path: string) {
    this.#path = path;
  }

  /** The decisions that came since the last call. @throws the system's error for a log that cannot be read */
  next(filter: AuditFilter): AuditRecord[] {
    return this.#lines()
      .flatMap(toRecord)
      .filter((record) => TYPES.includes(record.type) && matches(record, filter));
  }

  #lines(): string[] {
    let text = this.#rest + this.#readOn();
    // What came before the log was put aside is read first: the open file is still that one.
    if (this.#openCurrent()) text += `\n${this.#readOn()}`;
    const lines = text.split('\n');
    this.#rest = lines.pop() ?? '';
    return lines;
  }

  /** Opens the file that has the name now; whether it is another one than before. */
  #openCurrent(): boolean {
    const file = this.#openFile();
    if (file === undefined) return false;
    const { ino, size } = fstatSync(file);
    if (this.#open !== undefined && this.#open.inode === ino && size >= this.#open.position) {
      closeSync(file);
      return false;
    }
    this.#close();
    this.#open = { file, inode: ino, position: 0, decoder: new StringDecoder('utf8') };
    return true;
  }

  /** Between putting a log aside and beginning the next there is none for a moment. */
  #openFile(): number | undefined {
    try {
      return openSync(this.#path, 'r');
    } catch (error) {
      if (this.#open !== undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  #readOn(): string {
    if (this.#open === undefined) return '';
    let text = '';
    const buffer = Buffer.alloc(CHUNK_BYTES);
    for (let count = 1; count > 0; this.#open.position += count) {
      count = readSync(this.#open.file, buffer, 0, buffer.length, this.#open.position);
      text += this.#open.decoder.write(buffer.subarray(0, count));
    }
    return text;
  }

  [Symbol.dispose](): void {
    this.#close();
  }

  #close(): void {
    if (this.#open !== undefined) closeSync(this.#open.file);
    this.#open = undefined;
  }
}

/** A line that was cut off by a crash, or that something else wrote, is left out: the others still count. */
function toRecord(line: string): AuditRecord[] {
  try {
    const record = JSON.parse(line) as AuditRecord | null;
    return record !== null && isRecord(record) ? [record] : [];
  } catch {
    return [];
  }
}

function isRecord({ type, time, toolName = '', decision }: AuditRecord): boolean {
  if (![type, time, toolName].every((text) => typeof text === 'string')) return false;
  return typeof decision === 'string'
    ? Object.hasOwn(ANSWERS, decision)
    : typeof decision === 'object' && decision !== null;
}

/** What became of the call: a person's answer counts as what it leads to. */
export function effectOf(decision: AuditRecord['decision']): RuleEffect | undefined {
  return typeof decision === 'string' ? ANSWERS[decision] : decision?.effect;
}

function matches({ toolName, decision, sessionId, time }: AuditRecord, filter: AuditFilter): boolean {
  if (filter.tool !== undefined && toolName !== filter.tool) return false;
  if (filter.decision !== undefined && effectOf(decision) !== filter.decision) return false;
  if (filter.session !== undefined && sessionId !== filter.session) return false;
  if (filter.rule !== undefined) {
    const { text = '', source = '' } = (typeof decision === 'object' ? decision.rule : undefined) ?? {};
    if (!`${text} ${source}`.includes(filter.rule)) return false;
  }
  return filter.since === undefined || Date.parse(time) >= filter.since;
}
