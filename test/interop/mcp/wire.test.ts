import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import { importedSchema } from '../../../src/interop/mcp/client/imported-schema.js';
import { checkServerName, importedName } from '../../../src/interop/mcp/client/tool-names.js';
import { partsOf, toContentBlocks, toContentParts } from '../../../src/interop/mcp/content-blocks.js';
import { fingerprint } from '../../../src/interop/mcp/server/fingerprint.js';
import { serveMcp } from '../../../src/interop/mcp/server/serve-mcp.js';
import { StdioTransport } from '../../../src/interop/mcp/server/stdio-transport.js';
import { isDeeperThan } from '../../../src/interop/mcp/wire/json-depth.js';
import { MessageLines } from '../../../src/interop/mcp/wire/message-lines.js';

describe('MessageLines', () => {
  it('gives the same lines however the bytes are cut', () => {
    const bytes = Buffer.from('one\ntwo €\n\nfour\nrest');
    for (let size = 1; size <= bytes.length; size += 1) {
      const lines = new MessageLines(100);
      const found: unknown[] = [];
      for (let at = 0; at < bytes.length; at += size) found.push(...lines.push(bytes.subarray(at, at + size)));
      expect(found).toEqual([{ text: 'one' }, { text: 'two €' }, { text: '' }, { text: 'four' }]);
    }
  });

  it('tells of a line that is too long once, skips it whole, and goes on with the next', () => {
    for (const size of [1, 3, 7, 100]) {
      const lines = new MessageLines(5);
      const bytes = Buffer.from(`${'x'.repeat(50)}\n12345\n123456\nok\n`);
      const found: unknown[] = [];
      for (let at = 0; at < bytes.length; at += size) found.push(...lines.push(bytes.subarray(at, at + size)));
      expect(found).toEqual([{ tooLong: true }, { text: '12345' }, { tooLong: true }, { text: 'ok' }]);
    }
  });
});

describe('isDeeperThan()', () => {
  it('counts lists and objects, and not brackets in strings', () => {
    expect(isDeeperThan('[[1]]', 2)).toBe(false);
    expect(isDeeperThan('[{"a":[1]}]', 2)).toBe(true);
    expect(isDeeperThan('["[[[[","\\"[[[[","\\\\"]', 1)).toBe(false);
    expect(isDeeperThan('["\\\\",[[1]]]', 2)).toBe(true);
    expect(isDeeperThan('[[],[],[]]', 2)).toBe(false);
  });
});

describe('StdioTransport', () => {
  it('refuses to start twice, and to send when it is closed', async () => {
    const transport = new StdioTransport({ input: new PassThrough(), output: new PassThrough() });
    await transport.start();
    await expect(transport.start()).rejects.toThrow('twice');
    await transport.close();
    await expect(transport.send({ jsonrpc: '2.0', method: 'x' })).rejects.toThrow('gone');
  });

  it('drops progress, and nothing else, while the client does not read', async () => {
    const output = new PassThrough({ highWaterMark: 10 });
    const transport = new StdioTransport({ input: new PassThrough(), output });
    await transport.start();
    void transport.send({ jsonrpc: '2.0', id: 1, result: 'x'.repeat(100) });
    void transport.send({ jsonrpc: '2.0', method: 'notifications/progress', params: {} });
    void transport.send({ jsonrpc: '2.0', id: 2, result: 'y' });
    output.end();
    let text = '';
    for await (const chunk of output) text += chunk;
    expect(
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).id),
    ).toEqual([1, 2]);
    await transport.close();
  });

  it('closes when its output breaks', async () => {
    const output = new PassThrough();
    const transport = new StdioTransport({ input: new PassThrough(), output });
    const { promise, resolve } = Promise.withResolvers<void>();
    transport.onclose = resolve;
    await transport.start();
    output.destroy(new Error('EPIPE'));
    await promise;
  });
});

describe('importedName()', () => {
  it('keeps what is valid and gives different names to different tools', () => {
    expect(importedName('s', 'plain-name_1')).toBe('s__plain-name_1');
    const odd = ['a.b', 'a b', 'a_b', 'a/b', 'ä', '', '日本', 'x'.repeat(70), `${'x'.repeat(70)}y`];
    const names = odd.map((name) => importedName('s', name));
    expect(new Set(names).size).toBe(odd.length);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });

  it.each(['', 'a b', 'a__b', 'a_', 'x'.repeat(41), 'ä'])('refuses the server name %j', (name) => {
    expect(() => checkServerName(name)).toThrow(TypeError);
  });
});

describe('importedSchema()', () => {
  const validate = (schema: object, value: unknown) => importedSchema(schema)['~standard'].validate(value);

  it('checks everything but regular expressions', () => {
    const schema = {
      type: 'object',
      properties: { pattern: { type: 'string', pattern: '^b' }, n: { type: 'number' } },
      required: ['pattern'],
      additionalProperties: false,
    };
    expect(validate(schema, { pattern: 'a' })).toEqual({ value: { pattern: 'a' } });
    expect(validate(schema, {})).toHaveProperty('issues');
    expect(validate(schema, { pattern: 'a', n: 'x' })).toHaveProperty('issues');
    expect(validate(schema, { pattern: 'a', other: 1 })).toHaveProperty('issues');
  });

  it('takes names that only a pattern allowed', () => {
    const schema = { type: 'object', patternProperties: { '^x-': {} }, additionalProperties: false };
    expect(validate(schema, { 'x-a': 1 })).not.toHaveProperty('issues');
  });

  it.each([
    [undefined],
    ['string'],
    [{ type: 'string' }],
    [{}],
    [{ type: 'object', description: 'x'.repeat(300_000) }],
  ])('refuses %j', (schema) => {
    expect(() => importedSchema(schema)).toThrow(TypeError);
  });
});

describe('fingerprint()', () => {
  it('is the same for the same value in another order, and differs for any other', () => {
    expect(fingerprint({ a: 1, b: { c: [1, 2], d: null } })).toBe(fingerprint({ b: { d: null, c: [1, 2] }, a: 1 }));
    const values = [
      { a: 1 },
      { a: '1' },
      { a: [1] },
      { a: { 0: 1 } },
      {},
      [],
      null,
      'a',
      { 'a":1,"b': 2 },
      { a: 1, b: 2 },
      [1, 2],
      [2, 1],
    ];
    expect(new Set(values.map(fingerprint)).size).toBe(values.length);
  });
});

describe('content parts', () => {
  it('come back the same from MCP blocks', () => {
    const parts = [
      { type: 'text' as const, text: 'x' },
      { type: 'image' as const, mimeType: 'image/png', data: 'AA==' },
      { type: 'audio' as const, mimeType: 'audio/wav', data: 'AA==' },
      { type: 'file' as const, mimeType: 'text/csv', data: 'AA==', name: 'file:///a.csv' },
      { type: 'link' as const, uri: 'https://example.org/', name: 'Example', mimeType: 'text/html' },
    ];
    expect(toContentParts(toContentBlocks(parts))).toEqual(parts);
  });

  it('come back as a link from a source that has no content of its own', () => {
    const source = { type: 'source' as const, source: 'https://example.org/', title: 'Example', content: [] };
    expect(toContentParts(toContentBlocks([source]))).toEqual([
      { type: 'link', uri: 'https://example.org/', name: 'Example' },
    ]);
  });

  it('are never lost: a block of an unknown kind, or none at all, becomes text', () => {
    expect(toContentParts([{ type: 'hologram', x: 1 }, null, 7])).toEqual([
      { type: 'text', text: '{"type":"hologram","x":1}' },
      { type: 'text', text: 'null' },
      { type: 'text', text: '7' },
    ]);
  });

  it.each([
    [{ content: [{ type: 'text', text: 1 }] }],
    [{ content: [] }],
    [{ content: 'text' }],
    [{ content: [{ type: 'text', text: 'x' }], more: 1 }],
    [null],
    ['text'],
  ])('are not seen in the output %j', (output) => {
    expect(partsOf(output)).toBeUndefined();
  });
});

describe('serveMcp() over stdio', () => {
  it('says once, in one line, what was wrong with a message', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const lines: string[] = [];
    const transport = new StdioTransport({ input, output });
    const served = await serveMcp(createToolHost(), transport, { log: (line) => lines.push(line) });
    const clientInfo = { name: 'x', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    await expect.poll(() => String(output.read() ?? '')).toContain('"id":1');
    input.write('not JSON\n');
    await expect.poll(() => String(output.read() ?? '')).toContain('-32700');
    expect(lines).toEqual(['caisson mcp: Parse error: the message is not JSON']);
    await served.close();
  });
});
