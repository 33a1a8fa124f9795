import { describe, expect, it } from 'vitest';
import { createEditFileTool } from '../../../src/tools/files/edit-file.js';
import { createWriteFileTool } from '../../../src/tools/files/write-file.js';
import { callTool, refusal } from './call-tool.js';
import { createMemorySandbox } from './memory-sandbox.js';

const tool = createEditFileTool();

async function edit(content: string | Uint8Array, args: object, mode?: number) {
  const sandbox = createMemorySandbox();
  sandbox.put('file', content, mode);
  const result = await callTool(tool, { path: 'file', ...args }, sandbox);
  return { result, sandbox };
}

describe('edit_file', () => {
  it('replaces a text that occurs once and shows the place', async () => {
    const { result, sandbox } = await edit('1\n2\n3\n4\n5\n6\n7\n8\n9\n', { old_string: '5', new_string: 'five' });
    expect(sandbox.text('file')).toBe('1\n2\n3\n4\nfive\n6\n7\n8\n9\n');
    expect(result).toEqual({ path: 'file', replacements: 1, line: 5, snippet: '2\n3\n4\nfive\n6\n7\n8\n' });
  });

  it('shows a bounded snippet however much was inserted', async () => {
    const { result } = await edit('a', { old_string: 'a', new_string: 'line\n'.repeat(10_000) });
    expect(result.snippet.length).toBeLessThanOrEqual(2_000);
  });

  it('replaces every occurrence with replace_all and counts them', async () => {
    const { result, sandbox } = await edit('aXbXc', { old_string: 'X', new_string: 'XX', replace_all: true });
    expect([result.replacements, sandbox.text('file')]).toEqual([2, 'aXXbXXc']);
  });

  it('takes replacement patterns literally, with and without replace_all', async () => {
    for (const replace_all of [false, true]) {
      const { sandbox } = await edit('[x]', { old_string: 'x', new_string: "$& $1 $` $' $$", replace_all });
      expect(sandbox.text('file')).toBe("[$& $1 $` $' $$]");
    }
  });

  it('keeps the byte-order mark, CRLF, mode and every byte outside the match', async () => {
    const bytes = Uint8Array.from([0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a, 0xc3, 0xa9, 0x0d, 0x0a]);
    const { sandbox } = await edit(bytes, { old_string: 'a', new_string: 'b' }, 0o755);
    expect(sandbox.bytes('file')).toEqual([0xef, 0xbb, 0xbf, 0x62, 0x0d, 0x0a, 0xc3, 0xa9, 0x0d, 0x0a]);
    expect(sandbox.mode('file')).toBe(0o755);
  });

  it('refuses invalid UTF-8 with encoding and changes nothing', async () => {
    const sandbox = createMemorySandbox();
    sandbox.put('file', Uint8Array.from([0x61, 0xe9]));
    expect((await refusal(callTool(tool, { path: 'file', old_string: 'a', new_string: 'b' }, sandbox))).code).toBe(
      'encoding',
    );
    expect(sandbox.bytes('file')).toEqual([0x61, 0xe9]);
  });

  it('refuses an edit that would tear a surrogate pair', async () => {
    const call = edit('😀', { old_string: '\ud83d', new_string: 'x' });
    expect((await refusal(call)).code).toBe('encoding');
  });

  it('refuses an empty old_string as an argument', () => {
    const parsed = tool.input.safeParse({ path: 'a', old_string: '', new_string: 'x' });
    expect(parsed.error?.issues[0]?.message).toMatch(/must not be empty: use write_file/);
  });

  it('refuses a missing file with the nearest name', async () => {
    const sandbox = createMemorySandbox();
    sandbox.put('config.json', '{}');
    const error = await refusal(callTool(tool, { path: 'config.jsn', old_string: 'a', new_string: 'b' }, sandbox));
    expect([error.code, error.message]).toEqual(['not_found', expect.stringContaining('did you mean "config.json"?')]);
  });

  it('lands a hundred edits of one file that start at once', async () => {
    const sandbox = createMemorySandbox();
    const marks = Array.from({ length: 100 }, (_, index) => `<${index}>`);
    sandbox.put('file', marks.join(''));
    await Promise.all(
      marks.map((mark) =>
        callTool(tool, { path: 'file', old_string: mark, new_string: mark.replace('<', '<done ') }, sandbox),
      ),
    );
    expect(sandbox.text('file')).toBe(marks.map((mark) => mark.replace('<', '<done ')).join(''));
  });

  it('takes turns with write_file in the order the calls came', async () => {
    const sandbox = createMemorySandbox();
    sandbox.put('file', 'a');
    const write = createWriteFileTool();
    await Promise.all([
      callTool(tool, { path: 'file', old_string: 'a', new_string: 'b' }, sandbox),
      callTool(write, { path: '/workspace/file', content: 'a2' }, sandbox),
      callTool(tool, { path: './file', old_string: 'a2', new_string: 'c' }, sandbox),
    ]);
    expect(sandbox.text('file')).toBe('c');
  });

  it('reads again when somebody else changed the file in between, and keeps their change', async () => {
    const sandbox = createMemorySandbox();
    sandbox.put('file', 'mine\ntheirs\n');
    let interferences = 0;
    sandbox.beforeWrite = () => {
      interferences += 1;
      if (interferences <= 3) sandbox.put('file', `mine\ntheirs ${interferences}\n`);
    };
    await callTool(tool, { path: 'file', old_string: 'mine', new_string: 'edited' }, sandbox);
    expect(sandbox.text('file')).toBe('edited\ntheirs 3\n');
  });

  it('answers stale_file when the file never rests', async () => {
    const sandbox = createMemorySandbox();
    sandbox.put('file', 'mine 0');
    let count = 0;
    sandbox.beforeWrite = () => {
      count += 1;
      sandbox.put('file', `mine ${count}`);
    };
    const error = await refusal(callTool(tool, { path: 'file', old_string: 'mine', new_string: 'x' }, sandbox));
    expect([error.code, error.retryable]).toEqual(['stale_file', true]);
  });

  it('answers edit_not_found when somebody else removed the text in between', async () => {
    const sandbox = createMemorySandbox();
    sandbox.put('file', 'mine');
    sandbox.beforeWrite = () => {
      delete sandbox.beforeWrite;
      sandbox.put('file', 'gone');
    };
    expect((await refusal(callTool(tool, { path: 'file', old_string: 'mine', new_string: 'x' }, sandbox))).code).toBe(
      'edit_not_found',
    );
    expect(sandbox.text('file')).toBe('gone');
  });

  it('gives up waiting for its turn when it is aborted, and lets the others go on', async () => {
    const sandbox = createMemorySandbox();
    sandbox.put('file', 'a b c');
    const controller = new AbortController();
    const first = callTool(tool, { path: 'file', old_string: 'a', new_string: 'A' }, sandbox);
    const second = refusal(
      callTool(tool, { path: 'file', old_string: 'b', new_string: 'B' }, sandbox, controller.signal),
    );
    const third = callTool(tool, { path: 'file', old_string: 'c', new_string: 'C' }, sandbox);
    controller.abort();
    expect((await second).code).toBe('aborted');
    await Promise.all([first, third]);
    expect(sandbox.text('file')).toBe('A b C');
  });
});
