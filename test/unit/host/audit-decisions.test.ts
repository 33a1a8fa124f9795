import { appendFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { AuditReader } from '../../../src/cli/policy/audit-records.js';
import { type AuditLog, createAuditLog } from '../../../src/host/audit-log.js';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import { AllowingRules } from '../../../src/permissions/decision/allowing-rules.js';
import { defineTool } from '../../../src/tool/define-tool.js';

const shell = defineTool({
  name: 'shell',
  description: 'd',
  input: z.object({ command: z.string() }),
  execute: () => 'done',
});

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'audit-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function closing(log: AuditLog) {
  return { log, [Symbol.dispose]: () => log.close() };
}

describe('an audit log of decisions', () => {
  it('has a deny for a call that could not be checked', async () => {
    const path = join(directory, 'audit.jsonl');
    const audit = createAuditLog({ path, records: 'decisions' });
    const failing = vi.spyOn(AllowingRules.prototype, 'find').mockImplementation(() => {
      throw new TypeError('flags.test is not a function');
    });
    await using host = createToolHost({
      tools: shell,
      permissions: { allow: ['shell(ls:*)'] },
      policyFiles: false,
      onEvent: audit,
    });
    const result = await host.call({ toolName: 'shell', args: { command: 'ls' } }, {});
    failing.mockRestore();
    audit.close();
    expect(result).toMatchObject({ isError: true, error: { code: 'permission_denied' } });
    expect([...new AuditReader(path).next({ decision: 'deny', tool: 'shell' })]).toHaveLength(1);
  });

  it('says all of each in one record', async () => {
    const path = join(directory, 'audit.jsonl');
    const audit = createAuditLog({ path, records: 'decisions', redact: ['hunter2hunter2'] });
    await using host = createToolHost({
      tools: shell,
      permissions: { deny: ['shell(rm:*)'] },
      permissionMode: 'acceptEdits',
      policyFiles: false,
      onEvent: audit,
    });
    await host.call({ toolName: 'shell', args: { command: 'rm hunter2hunter2' } }, { sessionId: 's' });
    await host.call({ toolName: 'shell', args: { command: 'ls' } }, { sessionId: 't' });
    audit.close();
    const reader = new AuditReader(path);
    const records = [...reader.next({})];
    expect(records).toHaveLength(2);
    expect(records[0]).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      time: expect.any(String),
      sessionId: 's',
      toolName: 'shell',
      argsSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      mode: 'acceptEdits',
      decision: { effect: 'deny', rule: { text: 'shell(rm:*)' }, certainty: 'yes', enforcement: 'text only' },
    });
    expect(readFileSync(path, 'utf8')).not.toContain('hunter2');
    expect([...reader.next({})]).toEqual([]);
    expect([...new AuditReader(path).next({ session: 't' })]).toHaveLength(1);
    expect([...new AuditReader(path).next({ decision: 'deny', tool: 'shell', rule: 'rm' })]).toHaveLength(1);
    expect([...new AuditReader(path).next({ since: Date.now() + 1_000 })]).toEqual([]);
  });

  it('tells what a person answered, and for which question', async () => {
    const path = join(directory, 'audit.jsonl');
    using audit = closing(createAuditLog({ path, records: 'decisions' }));
    await using host = createToolHost({
      tools: shell,
      permissions: { default: 'ask' },
      policyFiles: false,
      onEvent: audit.log,
    });
    const waiting = await host.call({ toolName: 'shell', args: { command: 'ls' } });
    if (waiting.status !== 'awaiting-approval') throw new Error('The call did not wait');
    await host.approvals.resolve(waiting.approval.id, { decision: 'approve', note: 'Fine', always: ['shell(ls:*)'] });
    using reader = new AuditReader(path);
    const [asked, answered, ...more] = reader.next({});
    const approvalId = waiting.approval.id;
    expect(asked).toMatchObject({ type: 'decision', decision: { effect: 'ask' }, approvalId });
    expect(answered).toMatchObject({
      type: 'approval.decided',
      decision: 'approve',
      approvalId,
      note: 'Fine',
      always: ['shell(ls:*)'],
      argsSha256: asked?.argsSha256,
    });
    expect(more).toEqual([]);
    using allowed = new AuditReader(path);
    expect([...allowed.next({ decision: 'allow' })]).toHaveLength(1);
  });

  it('tells calls of two sessions apart that have the same id', () => {
    const lines: string[] = [];
    const audit = createAuditLog({ write: (line) => lines.push(line), records: 'decisions' });
    const call = { time: new Date(0).toISOString(), toolCallId: 'call_1', toolName: 'shell' };
    for (const sessionId of ['a', 'b'])
      audit({ ...call, type: 'call.parsed', sessionId, args: { command: sessionId } });
    for (const sessionId of ['a', 'b'])
      audit({
        ...call,
        type: 'decision',
        sessionId,
        decision: { effect: 'allow', certainty: 'yes' },
        mode: 'default',
      });
    const digests = lines.map((line) => JSON.parse(line).argsSha256);
    expect(new Set(digests).size).toBe(2);
  });

  it('is followed over the moment in which it is put aside', () => {
    const path = join(directory, 'audit.jsonl');
    const record = (toolCallId: string) =>
      `${JSON.stringify({ type: 'decision', time: '2026', toolCallId, decision: { effect: 'ask' } })}\n`;
    writeFileSync(path, record('a'));
    using reader = new AuditReader(path);
    const next = () => [...reader.next({})].map(({ toolCallId }) => toolCallId);
    expect(next()).toEqual(['a']);
    appendFileSync(path, record('b'));
    renameSync(path, `${path}.1`);
    expect(next()).toEqual(['b']);
    appendFileSync(`${path}.1`, record('c'));
    writeFileSync(path, record('d'));
    expect(next()).toEqual(['c', 'd']);
    const whole = Buffer.from(record('ü'));
    const cut = whole.indexOf(0xbc);
    appendFileSync(path, whole.subarray(0, cut));
    expect(next()).toEqual([]);
    appendFileSync(path, whole.subarray(cut));
    expect(next()).toEqual(['ü']);
  });

  it('is read past lines that are no record', () => {
    const path = join(directory, 'audit.jsonl');
    const good = { type: 'decision', time: '2026', toolName: 'shell', decision: { effect: 'deny' } };
    const odd = [
      5,
      [],
      null,
      { type: 'decision' },
      { ...good, time: 5 },
      { ...good, toolName: 7 },
      { ...good, decision: 'zz' },
    ];
    writeFileSync(path, `{"type":"deci\n${[...odd, good].map((line) => JSON.stringify(line)).join('\n')}\n`);
    using reader = new AuditReader(path);
    expect([...reader.next({})]).toEqual([good]);
  });

  it('is put aside when it is full, and the oldest goes', () => {
    const path = join(directory, 'audit.jsonl');
    const audit = createAuditLog({ path, maxBytes: 300, keepFiles: 2 });
    for (let index = 0; index < 20; index += 1)
      audit({ type: 'call.started', time: new Date(0).toISOString(), toolCallId: `call-${index}`, toolName: 'shell' });
    audit.close();
    expect(readFileSync(path, 'utf8')).toContain('call-19');
    expect(existsSync(`${path}.1`)).toBe(true);
    expect(existsSync(`${path}.2`)).toBe(true);
    expect(existsSync(`${path}.3`)).toBe(false);
    expect(readFileSync(`${path}.1`, 'utf8').length).toBeLessThanOrEqual(300);
  });

  it.each([{ maxBytes: 0 }, { keepFiles: -1 }])('refuses %j', (options) => {
    expect(() => createAuditLog({ path: join(directory, 'x'), ...options })).toThrow(TypeError);
  });
});
