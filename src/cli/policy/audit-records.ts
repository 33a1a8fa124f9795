import type { Decision, PermissionMode, RuleEffect } from '../../permissions/rules/rule.js';
import { type LogLine, LogReader } from './audit-lines.js';

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
  decision: Decision | keyof typeof ANSWERS;
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

/** A line that is no record of this log. */
export interface SkippedLine {
  place: string;
  problem: string;
}

const ANSWERS = { approve: 'allow', reject: 'deny', defer: 'ask' } as const;
const EFFECTS = ['deny', 'ask', 'allow'];
const TYPES = ['decision', 'approval.decided'];

/** Reads the decisions of a log that others write to, with what was put aside of it. */
export class AuditReader {
  readonly #lines: LogReader;
  readonly #onSkipped: (line: SkippedLine) => void;

  constructor(path: string, { onSkipped = () => {} }: { onSkipped?: (line: SkippedLine) => void } = {}) {
    this.#lines = new LogReader(path);
    this.#onSkipped = onSkipped;
  }

  /**
   * The decisions that came since the last call, oldest first. A line that has no end yet waits for the next call,
   * unless this one is `final`. @throws the system's error for a log that cannot be read
   */
  *next(filter: AuditFilter, { final = false } = {}): Generator<AuditRecord> {
    for (const line of this.#lines.next({ final })) {
      const record = this.#read(line);
      if (record !== undefined && matches(record, filter)) yield record;
    }
  }

  [Symbol.dispose](): void {
    this.#lines[Symbol.dispose]();
  }

  #read({ place, text, problem }: LogLine): AuditRecord | undefined {
    if (problem === undefined && text.trim() === '') return undefined;
    const record = problem === undefined ? parse(text) : undefined;
    if (record === undefined) this.#onSkipped({ place, problem: problem ?? 'not JSON: cut off, or not of this log' });
    else if (isDecision(record)) return record;
    else if (!isEvent(record)) this.#onSkipped({ place, problem: 'not a record of this log' });
    return undefined;
  }
}

/** `undefined` for a line that was cut off by a crash, or that something else wrote: the others still count. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Other events than decisions are in a log of all. */
function isEvent(record: unknown): boolean {
  return isObject(record) && typeof record.type === 'string' && !TYPES.includes(record.type);
}

function isDecision(record: unknown): record is AuditRecord {
  if (!isObject(record) || !TYPES.includes(String(record.type)) || typeof record.time !== 'string') return false;
  const { decision, always = [] } = record;
  const texts = ['id', 'sessionId', 'toolCallId', 'toolName', 'argsSha256', 'mode', 'approvalId', 'note'];
  if (!haveTexts(record, texts) || !Array.isArray(always) || !always.every(isText)) return false;
  return typeof decision === 'string' ? Object.hasOwn(ANSWERS, decision) : isVerdict(decision);
}

function isVerdict(decision: unknown): boolean {
  if (!isObject(decision) || !EFFECTS.includes(String(decision.effect))) return false;
  if (!haveTexts(decision, ['certainty', 'enforcement'])) return false;
  const { rule = { text: '', source: '' }, part = { text: '' } } = decision;
  return isObject(rule) && isText(rule.text) && isText(rule.source) && isObject(part) && isText(part.text);
}

function haveTexts(value: Record<string, unknown>, keys: readonly string[]): boolean {
  return keys.every((key) => value[key] === undefined || isText(value[key]));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What became of the call: a person's answer counts as what it leads to. */
export function effectOf(decision: AuditRecord['decision']): RuleEffect {
  return typeof decision === 'string' ? ANSWERS[decision] : decision.effect;
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
