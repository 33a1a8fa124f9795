import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AuditReader } from '../../../src/cli/policy/audit-records.js';
import { createAuditLog } from '../../../src/host/audit-log.js';
import { createToolHost } from '../../../src/host/create-tool-host.js';
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

describe('an audit log of decisions', () => {
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
    const records = reader.next({});
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
    expect(reader.next({})).toEqual([]);
    expect(new AuditReader(path).next({ session: 't' })).toHaveLength(1);
    expect(new AuditReader(path).next({ decision: 'deny', tool: 'shell', rule: 'rm' })).toHaveLength(1);
    expect(new AuditReader(path).next({ since: Date.now() + 1_000 })).toEqual([]);
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
