import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AuditReader, type SkippedLine } from '../../../src/cli/policy/audit-records.js';
import { createAuditLog } from '../../../src/host/audit-log.js';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'audit-'));
  path = join(directory, 'audit.jsonl');
});
afterEach(() => rmSync(directory, { recursive: true }));

const record = (toolCallId: string) =>
  `${JSON.stringify({ type: 'decision', time: '2026', toolCallId, toolName: 'shell', decision: { effect: 'deny' } })}\n`;
const started = (toolCallId: string) =>
  ({ type: 'call.started', time: '2026', toolCallId, toolName: 'shell' }) as const;
const decided = (toolCallId: string) =>
  ({
    ...started(toolCallId),
    type: 'decision',
    decision: { effect: 'allow', certainty: 'yes' },
    mode: 'default',
  }) as const;

/** The ids of all records, in the order of the files from the oldest on. */
function kept(): string[] {
  const names = readdirSync(directory).filter((name) => /\.jsonl(\.\d+)?$/.test(name));
  const number = (name: string) => Number(/\d+$/.exec(name)?.[0] ?? 0);
  return names
    .sort((a, b) => number(b) - number(a))
    .flatMap((name) => readFileSync(join(directory, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line).toolCallId);
}

describe('an audit log that two write to', () => {
  const limits = { maxBytes: 400, keepFiles: 50 };

  it('keeps every record of both, whoever puts the file aside', () => {
    const [one, two] = [createAuditLog({ path, ...limits }), createAuditLog({ path, ...limits })];
    for (let index = 0; index < 40; index += 1) (index % 3 === 0 ? one : two)(started(`${index}`));
    one.close();
    two.close();
    expect(kept()).toEqual(Array.from({ length: 40 }, (_, index) => `${index}`));
    expect(readdirSync(directory).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });

  it('loses nothing when it keeps no file and the other one took the file away', () => {
    const one = createAuditLog({ path, maxBytes: 400, keepFiles: 0 });
    const two = createAuditLog({ path, maxBytes: 400, keepFiles: 0 });
    for (let index = 0; index < 5; index += 1) one(started('one'));
    two(started('last'));
    one.close();
    two.close();
    expect(kept()).toContain('last');
  });

  it('goes on in a new file when somebody else put it aside or took it away', () => {
    const audit = createAuditLog({ path });
    audit(started('a'));
    renameSync(path, `${path}.1`);
    audit(started('b'));
    rmSync(path);
    audit(started('c'));
    audit.close();
    expect(kept()).toEqual(['a', 'c']);
  });

  it('is put aside although a process died while it did that, but not while one is at it', () => {
    const audit = createAuditLog({ path, maxBytes: 100, keepFiles: 3 });
    audit(started('a'));
    writeFileSync(`${path}.lock`, '');
    audit(started('b'));
    expect(existsSync(`${path}.1`)).toBe(false);
    utimesSync(`${path}.lock`, 1, 1);
    audit(started('c'));
    audit.close();
    expect(existsSync(`${path}.1`)).toBe(true);
    expect(kept()).toEqual(['a', 'b', 'c']);
  });

  it('does not go on in a line that another process left unfinished', () => {
    writeFileSync(path, '{"type":"call.sta');
    const audit = createAuditLog({ path });
    audit(started('a'));
    audit(started('b'));
    audit.close();
    expect(readFileSync(path, 'utf8').split('\n')[1]).toBe(JSON.stringify(started('a')));
  });
});

describe('reading an audit log', () => {
  const ids = (reader: AuditReader) => [...reader.next({})].map(({ toolCallId }) => toolCallId);

  it('begins with what was put aside, the oldest first, whatever has a name like it', () => {
    for (const [name, id] of [
      ['.10', 'a'],
      ['.2', 'b'],
      ['.1', 'c'],
      ['', 'd'],
      ['.1.gz', 'x'],
      ['.bak', 'x'],
      ['.01', 'x'],
    ])
      writeFileSync(`${path}${name}`, record(id ?? ''));
    using reader = new AuditReader(path);
    expect(ids(reader)).toEqual(['a', 'b', 'c', 'd']);
    expect(ids(reader)).toEqual([]);
  });

  it('shows what was put aside while there is no newer file', () => {
    writeFileSync(`${path}.1`, record('a'));
    using reader = new AuditReader(path);
    expect(ids(reader)).toEqual(['a']);
    writeFileSync(path, record('b'));
    expect(ids(reader)).toEqual(['b']);
  });

  it('follows a log that is put aside again and again between two looks', () => {
    const audit = createAuditLog({ path, maxBytes: 200, keepFiles: 20 });
    audit(decided('0'));
    using reader = new AuditReader(path);
    expect(ids(reader)).toEqual(['0']);
    for (let index = 1; index < 9; index += 1) audit(decided(`${index}`));
    audit.close();
    expect(existsSync(`${path}.3`)).toBe(true);
    expect(ids(reader)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
    expect(ids(reader)).toEqual([]);
  });

  it('begins again in a file that was cut in place', () => {
    writeFileSync(path, record('a') + record('b'));
    using reader = new AuditReader(path);
    expect(ids(reader)).toEqual(['a', 'b']);
    truncateSync(path);
    appendFileSync(path, record('c'));
    expect(ids(reader)).toEqual(['c']);
  });

  it('survives binary, huge and unfinished lines, and says which it skipped', () => {
    const junk = Buffer.from([0xff, 0x00, 0xfe, 0x0a]);
    const huge = `{"type":"decision","x":"${'x'.repeat(5 * 1024 * 1024)}"}\n`;
    writeFileSync(
      `${path}.1`,
      Buffer.concat([Buffer.from(record('a')), junk, Buffer.from(`${huge}\n${record('b')}{`)]),
    );
    writeFileSync(path, `${record('c')}${record('d').trim()}`);
    const skipped: SkippedLine[] = [];
    using reader = new AuditReader(path, { onSkipped: (line) => skipped.push(line) });
    expect(ids(reader)).toEqual(['a', 'b', 'c']);
    expect([...reader.next({}, { final: true })].map(({ toolCallId }) => toolCallId)).toEqual(['d']);
    expect(skipped).toEqual([
      { place: `${path}.1:2`, problem: expect.stringContaining('not JSON') },
      { place: `${path}.1:3`, problem: 'longer than 4 MiB' },
      { place: `${path}.1:6`, problem: expect.stringContaining('not JSON') },
    ]);
  });

  it.each<[string, object]>([
    ['rule', { decision: { effect: 'deny', rule: null } }],
    ['rule text', { decision: { effect: 'deny', rule: { text: 1, source: '' } } }],
    ['part', { decision: { effect: 'deny', part: 5 } }],
    ['enforcement', { decision: { effect: 'deny', enforcement: {} } }],
    ['effect', { decision: { effect: 'toString' } }],
    ['kept rules', { decision: 'approve', always: 'x' }],
    ['note', { decision: 'approve', note: ['x'] }],
  ])('skips a record with a %s of another kind', (_what, fields) => {
    const odd = { type: 'decision', time: '2026', toolName: 'shell', ...fields };
    writeFileSync(path, `${JSON.stringify(odd)}\n{"type":"call.started"}\n${record('a')}`);
    const skipped: SkippedLine[] = [];
    using reader = new AuditReader(path, { onSkipped: (line) => skipped.push(line) });
    expect(ids(reader)).toEqual(['a']);
    expect(skipped).toEqual([{ place: `${path}:1`, problem: 'not a record of this log' }]);
  });
});
