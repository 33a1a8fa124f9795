import { describe, expect, it } from 'vitest';
import { createReadFileTool } from '../../../src/tools/files/read-file.js';
import { callTool, refusal } from './call-tool.js';
import { createMemorySandbox } from './memory-sandbox.js';

const tool = createReadFileTool();

function read(files: Record<string, string | Uint8Array>, args: object) {
  const sandbox = createMemorySandbox();
  for (const [path, content] of Object.entries(files)) sandbox.put(path, content);
  return callTool(tool, args, sandbox);
}

describe('read_file', () => {
  it('gives the exact text with its line numbers beside it', async () => {
    expect(await read({ 'src/a.ts': 'one\ntwo\n' }, { path: 'src/a.ts' })).toEqual({
      path: 'src/a.ts',
      content: 'one\ntwo\n',
      startLine: 1,
      endLine: 2,
      totalLines: 2,
      truncated: false,
    });
  });

  it('names the file relative to the workspace, however it was asked for', async () => {
    for (const path of ['/workspace/src/a.ts', './src//a.ts', 'src/./a.ts']) {
      expect((await read({ 'src/a.ts': 'x' }, { path })).path).toBe('src/a.ts');
    }
  });

  it('gives a range of lines and says how to go on', async () => {
    const result = await read({ a: '1\n2\n3\n4\n5' }, { path: 'a', offset: 2, limit: 2 });
    expect(result).toMatchObject({ content: '2\n3\n', startLine: 2, endLine: 3, totalLines: 5, truncated: true });
    expect(result.note).toBe('Showing lines 2 to 3 of 5; continue with offset 4');
  });

  it('gives the last line whether or not it ends', async () => {
    expect((await read({ a: '1\n2' }, { path: 'a', offset: 2 })).content).toBe('2');
    expect((await read({ a: '1\n2\n' }, { path: 'a', offset: 2 })).content).toBe('2\n');
  });

  it('L100: stops at 2,000 lines', async () => {
    const result = await read({ a: 'x\n'.repeat(2500) }, { path: 'a' });
    expect(result).toMatchObject({ endLine: 2000, totalLines: 2500, truncated: true });
  });

  it('L100: stops at 50,000 characters, at a line end', async () => {
    const result = await read({ a: `${'x'.repeat(999)}\n`.repeat(100) }, { path: 'a' });
    expect(result).toMatchObject({ endLine: 50, truncated: true });
    expect(result.content).toHaveLength(50_000);
  });

  it('cuts a single line that is longer than that, never inside a surrogate pair', async () => {
    const result = await read({ a: `x${'😀'.repeat(30_000)}\nnext\n` }, { path: 'a' });
    expect(result.content.isWellFormed()).toBe(true);
    expect(result.content.length).toBeGreaterThan(49_990);
    expect(result).toMatchObject({ startLine: 1, endLine: 1, totalLines: 2, truncated: true });
    expect(result.note).toMatch(/Line 1 is 60002 characters long and was cut/);
    expect(result.note).toMatch(/continue with offset 2/);
  });

  it('L100: refuses a file over 10 MB and says what to do', async () => {
    const error = await refusal(
      read({ 'big.log': new Uint8Array(10 * 1024 * 1024 + 1).fill(97) }, { path: 'big.log' }),
    );
    expect(error.code).toBe('file_too_large');
    expect(error.message).toMatch(/"big.log".*10 MB.*grep/);
  });

  it('reads a file of exactly 10 MB', async () => {
    const result = await read({ a: new Uint8Array(10 * 1024 * 1024).fill(97) }, { path: 'a' });
    expect(result.truncated).toBe(true);
  });

  it('says that an empty file is empty', async () => {
    expect(await read({ a: '' }, { path: 'a' })).toMatchObject({
      content: '',
      totalLines: 0,
      note: 'The file is empty',
    });
  });

  it('suggests the nearest name for a file that is not there', async () => {
    const error = await refusal(read({ 'src/index.tsx': '' }, { path: 'src/index.ts' }));
    expect([error.code, error.message]).toEqual([
      'not_found',
      'Cannot find "src/index.ts": no such file; did you mean "src/index.tsx"?',
    ]);
  });

  it('suggests a search when no name is near', async () => {
    expect((await refusal(read({ a: '' }, { path: 'something/else.py' }))).message).toMatch(
      /look for it with glob or list_dir/,
    );
  });

  it('points to list_dir for a directory', async () => {
    const error = await refusal(read({ 'src/a': '' }, { path: 'src' }));
    expect([error.code, error.message]).toEqual(['is_directory', 'Cannot read "src": it is a directory; use list_dir']);
  });

  it('refuses an offset beyond the end with the number of lines', async () => {
    const error = await refusal(read({ a: '1\n2\n3\n' }, { path: 'a', offset: 4 }));
    expect([error.code, error.message]).toEqual(['invalid_input', 'Cannot read "a" from line 4: it has 3 lines']);
  });

  it.each([
    ['binary content', Uint8Array.from([0x50, 0x4b, 0x03, 0x00]), /binary \(a NUL byte at offset 3\).*shell/],
    ['invalid UTF-8', Uint8Array.from([0x63, 0x61, 0x66, 0xe9]), /not valid UTF-8 \(byte 0xE9 at offset 3\)/],
    ['a cut-off character at the end', Uint8Array.from([0x61, 0xe2, 0x82]), /byte 0xE2 at offset 1/],
    ['UTF-16 with a byte-order mark', Uint8Array.from([0xff, 0xfe, 0x61, 0x00]), /UTF-16LE.*convert it to UTF-8/],
    ['big-endian UTF-16', Uint8Array.from([0xfe, 0xff, 0x00, 0x61]), /UTF-16BE/],
  ])('refuses %s with encoding and says what to do', async (_, bytes, message) => {
    const error = await refusal(read({ a: bytes }, { path: 'a' }));
    expect(error.code).toBe('encoding');
    expect(error.message).toMatch(message);
  });

  it('leaves a byte-order mark out of the text', async () => {
    expect((await read({ a: '\uFEFFone\n' }, { path: 'a' })).content).toBe('one\n');
  });

  it('says how lines end when that matters for an edit', async () => {
    expect((await read({ a: 'a\r\nb\r\n' }, { path: 'a' })).note).toMatch(/CRLF/);
    expect((await read({ a: 'a\r\nb\n' }, { path: 'a' })).note).toMatch(/partly/);
    expect((await read({ a: 'a\nb\n' }, { path: 'a' })).note).toBeUndefined();
  });

  it.each([[{ offset: 0 }], [{ limit: 0 }], [{ limit: 2001 }], [{ offset: 1.5 }], [{ path: '' }], [{ offset: '3' }]])(
    'refuses %j as arguments',
    (args) => {
      expect(tool.input.safeParse({ path: 'a', ...args }).success).toBe(false);
    },
  );

  it('passes the abort signal on', async () => {
    const sandbox = createMemorySandbox();
    sandbox.put('a', 'x');
    expect((await refusal(callTool(tool, { path: 'a' }, sandbox, AbortSignal.abort()))).code).toBe('aborted');
  });
});
