import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type AuditLogOptions, createAuditLog } from '../../../src/host/audit-log.js';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import { defineTool } from '../../../src/tool/define-tool.js';

const tool = defineTool({
  name: 'note',
  description: 'd',
  input: z.object({ text: z.string() }),
  async *execute({ text }) {
    yield text;
  },
});

async function record(options: Omit<AuditLogOptions, 'write'>, text: string) {
  const lines: string[] = [];
  const audit = createAuditLog({ ...options, write: (line) => lines.push(line) });
  const host = createToolHost({
    tools: tool,
    onEvent: audit,
    permissions: { ask: ['note'] },
    approve: () => ({ decision: 'approve' }),
  });
  await host.call({ toolCallId: 'c', toolName: 'note', args: { text } });
  return lines;
}

describe('createAuditLog()', () => {
  it('writes one JSON line for each event', async () => {
    const lines = await record({}, 'hello');
    const events = lines.map((line) => JSON.parse(line));
    expect(events.map(({ type }) => type)).toContain('decision');
    expect(lines.every((line) => line.endsWith('\n') && line.indexOf('\n') === line.length - 1)).toBe(true);
    expect(events.at(-1)).toMatchObject({ type: 'call.finished', toolCallId: 'c', status: 'ok' });
  });

  it('keeps a digest and a capped preview of arguments, and no output', async () => {
    const events = (await record({ previewCharacters: 20 }, 'x'.repeat(500))).map((line) => JSON.parse(line));
    const parsed = events.find(({ type }) => type === 'call.parsed');
    expect(parsed.argsSha256).toMatch(/^[0-9a-f]{64}$/);
    expect(parsed.argsPreview).toBe(`{"text":"${'x'.repeat(11)}…`);
    expect(parsed).not.toHaveProperty('args');
    const partial = events.find(({ type }) => type === 'tool.partial');
    expect(partial).toHaveProperty('outputSha256');
    expect(partial).not.toHaveProperty('output');
    expect(events.find(({ type }) => type === 'approval.requested').approval).not.toHaveProperty('args');
  });

  it('gives equal arguments equal digests', async () => {
    const digest = async (text: string) =>
      (await record({}, text)).map((line) => JSON.parse(line)).find(({ argsSha256 }) => argsSha256)?.argsSha256;
    expect(await digest('a')).toBe(await digest('a'));
    expect(await digest('a')).not.toBe(await digest('b'));
  });

  it.each(['s3cr"et\\value', 'hunter2hunter2'])(
    'never shows the secret %j, in whatever it is written',
    async (secret) => {
      const text = `${JSON.stringify({ key: secret })} ${secret} ${encodeURIComponent(secret)} ${Buffer.from(secret).toString('base64')}`;
      const log = (await record({ redact: [secret], previewCharacters: 10_000 }, text)).join('');
      expect(log).toContain('[redacted]');
      expect(log).not.toContain(secret);
      expect(log).not.toContain(JSON.stringify(secret).slice(1, -1));
      expect(log).not.toContain(Buffer.from(secret).toString('base64'));
    },
  );

  it('does not cut a secret in half at the end of the preview', async () => {
    const log = (await record({ redact: ['topsecret-token'], previewCharacters: 16 }, 'topsecret-token')).join('');
    expect(log).not.toContain('topsec');
  });

  it.each([
    {},
    { path: 'a', write: () => {} },
    { write: () => {}, previewCharacters: -1 },
    { write: () => {}, redact: ['abc'] },
  ])('refuses %j', (options) => {
    expect(() => createAuditLog(options)).toThrow(TypeError);
  });
});

describe('an audit log in a file', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'audit-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('is appended to, readable by its owner only, and closed once', async () => {
    const path = join(directory, 'audit.jsonl');
    for (let round = 0; round < 2; round += 1) {
      const audit = createAuditLog({ path });
      await createToolHost({ tools: tool, onEvent: audit }).call({ toolName: 'note', args: { text: 'a' } });
      audit.close();
      audit.close();
    }
    const types = readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type);
    expect(types.filter((type) => type === 'call.finished')).toHaveLength(2);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is not opened through a link', () => {
    symlinkSync(join(directory, 'elsewhere'), join(directory, 'audit.jsonl'));
    expect(() => createAuditLog({ path: join(directory, 'audit.jsonl') })).toThrow();
  });
});
