import { describe, expect, it } from 'vitest';
import type { ToolHost } from '../../../src/index.js';
import { codingHost, put, textOf } from '../provider/hosts.js';
import { callTool } from './call.js';

const edit = (host: ToolHost, input: unknown, name = 'str_replace_based_edit_tool') => callTool(host, { name, input });
const view = async (host: ToolHost, path: string, view_range?: unknown) =>
  edit(host, { command: 'view', path, ...(view_range !== undefined && { view_range }) });

describe('view', () => {
  it('shows a file with line numbers', async () => {
    const host = codingHost();
    await put(host, 'a.txt', 'one\n\tzwei\nthree');
    expect(await view(host, '/workspace/a.txt')).toEqual({
      type: 'tool_result',
      tool_use_id: 'toolu_1',
      content: "Here's the result of running `cat -n` on /workspace/a.txt:\n     1\tone\n     2\t\tzwei\n     3\tthree",
    });
  });

  it('shows a range, to the end with -1, and over the end as far as there is', async () => {
    const host = codingHost();
    await put(host, 'a.txt', 'a\nb\nc\nd\n');
    expect((await view(host, 'a.txt', [2, 3])).content).toMatch(/:\n {5}2\tb\n {5}3\tc\n$/);
    expect((await view(host, 'a.txt', [3, -1])).content).toMatch(/:\n {5}3\tc\n {5}4\td\n$/);
    expect((await view(host, 'a.txt', [4, 99])).content).toMatch(/:\n {5}4\td\n$/);
  });

  it('shows ranges longer than one read', async () => {
    const host = codingHost();
    await put(host, 'a.txt', Array.from({ length: 6_000 }, (_, index) => `${index + 1}\n`).join(''));
    const { content } = await view(host, 'a.txt', [100, 5_100]);
    expect(content).toMatch(/:\n {3}100\t100\n/);
    expect(content).toMatch(/\n {2}5100\t5100\n$/);
  });

  it('stops at 50,000 characters and says how to see the rest', async () => {
    const host = codingHost();
    await put(host, 'a.txt', `${'x'.repeat(99)}\n`.repeat(2_000));
    const { content } = await view(host, 'a.txt');
    expect(content).toMatch(
      /\[1500 more lines are not shown; the file has 2000\. Use view_range \[501, -1\] to see them\]$/,
    );
  });

  it('shows a directory two levels deep, without hidden entries and node_modules', async () => {
    const host = codingHost();
    for (const path of ['src/a.ts', 'src/deep/b.ts', '.github/x', 'src/.hidden', 'node_modules/x/y', 'readme.md'])
      await put(host, path, '');
    expect((await view(host, '/workspace/')).content).toBe(
      "Here're the files and directories up to 2 levels deep in /workspace/, excluding hidden items and node_modules:\n" +
        '/workspace\n/workspace/readme.md\n/workspace/src/\n/workspace/src/a.ts\n/workspace/src/deep/',
    );
  });

  it('shows an empty file', async () => {
    const host = codingHost();
    await put(host, 'a.txt', '');
    expect(await view(host, 'a.txt')).toMatchObject({ content: "Here's the result of running `cat -n` on a.txt:\n" });
  });

  it.each([
    ['ghost.txt', undefined, 'The path ghost.txt does not exist. Please provide a valid path.'],
    ['a.txt', [0, 1], 'Invalid `view_range`: [0, 1]. Its first element `0` should be 1 or more.'],
    [
      'a.txt',
      [3, 2],
      'Invalid `view_range`: [3, 2]. Its second element `2` should be larger or equal than its first `3`.',
    ],
    ['a.txt', [1], 'Invalid `view_range`. It should be a list of two integers.'],
    ['a.txt', 'all', 'Invalid `view_range`. It should be a list of two integers.'],
    ['a.txt', [7, -1], 'Invalid `view_range`: [7, -1]. Cannot read "a.txt" from line 7: it has 2 lines.'],
    ['.', [1, 2], 'The `view_range` parameter is not allowed when `path` points to a directory.'],
  ])('answers %s with the range %j with an error', async (path, range, content) => {
    const host = codingHost();
    await put(host, 'a.txt', 'a\nb\n');
    expect(await view(host, path, range)).toEqual({
      type: 'tool_result',
      tool_use_id: 'toolu_1',
      content,
      is_error: true,
    });
  });
});

describe('create', () => {
  it('writes the file as it is, and its directories', async () => {
    const host = codingHost();
    const text = 'a\r\nb \n\n';
    expect(await edit(host, { command: 'create', path: 'x/y.txt', file_text: text })).toMatchObject({
      content: 'File created successfully at: x/y.txt',
    });
    expect(await textOf(host, 'x/y.txt')).toBe(text);
  });
});

describe('str_replace', () => {
  it('replaces a text that occurs once, and shows the place', async () => {
    const host = codingHost();
    await put(host, 'a.txt', '1\n2\n3\n4\n5\nold\n7\n8\n9\n10\n');
    const result = await edit(host, { command: 'str_replace', path: 'a.txt', old_str: 'old', new_str: 'new\n$& $1' });
    expect(result.content).toBe(
      "The file a.txt has been edited. Here's the result of running `cat -n` on a snippet of a.txt:\n" +
        '     3\t3\n     4\t4\n     5\t5\n     6\tnew\n     7\t$& $1\n     8\t7\n     9\t8\n    10\t9\n' +
        'Review the changes and make sure they are as expected (correct indentation, no duplicate lines, etc). Edit the file again if necessary.',
    );
    expect(await textOf(host, 'a.txt')).toBe('1\n2\n3\n4\n5\nnew\n$& $1\n7\n8\n9\n10\n');
  });

  it('deletes a text when there is no new one', async () => {
    const host = codingHost();
    await put(host, 'a.txt', 'a\nb\n');
    await edit(host, { command: 'str_replace', path: 'a.txt', old_str: 'a\n' });
    expect(await textOf(host, 'a.txt')).toBe('b\n');
  });

  it('says when the text is not there, and what is most like it', async () => {
    const host = codingHost();
    await put(host, 'a.txt', 'const  x = 1;\n');
    const result = await edit(host, { command: 'str_replace', path: 'a.txt', old_str: 'const x = 1;', new_str: '' });
    expect(result).toMatchObject({ is_error: true });
    expect(result.content).toMatch(
      /^No replacement was performed, old_str `const x = 1;` did not appear verbatim in a\.txt\. .*whitespace/,
    );
  });

  it('says where the text is when it occurs more than once', async () => {
    const host = codingHost();
    await put(host, 'a.txt', 'x\ny\nx\n');
    expect(await edit(host, { command: 'str_replace', path: 'a.txt', old_str: 'x', new_str: 'z' })).toMatchObject({
      is_error: true,
      content:
        'No replacement was performed. Multiple occurrences of old_str `x` in lines [1, 3]. Please ensure it is unique',
    });
    expect(await textOf(host, 'a.txt')).toBe('x\ny\nx\n');
  });
});

describe('insert', () => {
  it.each([
    ['at the beginning', 'a\nb\n', 0, 'new', 'new\na\nb\n'],
    ['after a line', 'a\nb\n', 1, 'new\n', 'a\nnew\nb\n'],
    ['at the end', 'a\nb\n', 2, 'new', 'a\nb\nnew\n'],
    ['after a last line without an end', 'a\nb', 2, 'new', 'a\nb\nnew'],
    ['into an empty file', '', 0, 'new', 'new\n'],
    ['with the line ends of the file', 'a\r\nb\r\n', 1, 'x\ny', 'a\r\nx\r\ny\r\nb\r\n'],
    ['among lines that are all the same', 'x\nx\nx\nx\n', 2, 'x', 'x\nx\nx\nx\nx\n'],
    ['behind a byte-order mark', '\uFEFFa\n', 1, 'b', '\uFEFFa\nb\n'],
  ])('puts lines %s', async (_, before, insert_line, insert_text, after) => {
    const host = codingHost();
    await put(host, 'a.txt', before);
    const result = await edit(host, { command: 'insert', path: 'a.txt', insert_line, insert_text });
    expect(result.content).toMatch(/^The file a\.txt has been edited\./);
    expect(result.is_error).toBeUndefined();
    expect(await textOf(host, 'a.txt')).toBe(after);
  });

  it('takes the text under its old name, and the tool under its old name', async () => {
    const host = codingHost();
    await put(host, 'a.txt', 'a\n');
    await edit(host, { command: 'insert', path: 'a.txt', insert_line: 1, new_str: 'b' }, 'str_replace_editor');
    expect(await textOf(host, 'a.txt')).toBe('a\nb\n');
  });

  it('says which lines there are', async () => {
    const host = codingHost();
    await put(host, 'a.txt', 'a\nb\n');
    expect(await edit(host, { command: 'insert', path: 'a.txt', insert_line: 3, insert_text: 'x' })).toMatchObject({
      is_error: true,
      content: 'Invalid `insert_line` parameter: 3. It should be within the range of lines of the file: [0, 2]',
    });
  });
});

describe('the text editor', () => {
  it('holds path rules in every command', async () => {
    const host = codingHost({
      permissions: { deny: ['read_file(**/.env)', 'write_file(locked/**)'] },
      files: { '.env': 'KEY=hunter2\n', 'locked/a.txt': 'a\n' },
    });
    const inputs = [
      { command: 'view', path: '.env' },
      { command: 'view', path: '/workspace/x/../.env' },
      { command: 'str_replace', path: '.env', old_str: 'KEY', new_str: 'K' },
      { command: 'create', path: 'locked/b.txt', file_text: 'x' },
      { command: 'str_replace', path: 'locked/a.txt', old_str: 'a', new_str: 'b' },
      { command: 'insert', path: 'locked/a.txt', insert_line: 0, insert_text: 'b' },
    ];
    for (const input of inputs) {
      const result = await edit(host, input);
      expect(JSON.parse(String(result.content))).toMatchObject({ kind: 'denied' });
      expect(result.content).not.toContain('hunter2');
    }
    expect(await textOf(host, 'locked/a.txt')).toBe('a\n');
  });

  it('refuses paths out of the workspace, binary files and directories with the host’s error', async () => {
    const host = codingHost();
    await put(host, 'b.bin', new Uint8Array([1, 0, 2]));
    const outside = await edit(host, { command: 'create', path: '../../etc/x', file_text: 'x' });
    expect(JSON.parse(String(outside.content))).toMatchObject({ code: 'path_escape' });
    expect(JSON.parse(String((await view(host, 'b.bin')).content))).toMatchObject({ code: 'encoding' });
    const directory = await edit(host, { command: 'create', path: '.', file_text: 'x' });
    expect(JSON.parse(String(directory.content))).toMatchObject({ kind: 'execution' });
  });

  it.each([
    ['undo_edit', { command: 'undo_edit', path: 'a' }, 'undo_edit is not available'],
    ['no command', { path: 'a' }, 'must be view, create, str_replace or insert'],
    ['an inherited command', Object.create({ command: 'view', path: 'a' }), "'path' must be the path"],
    ['no path', { command: 'view' }, "'path' must be the path"],
    ['no file_text', { command: 'create', path: 'a' }, "'file_text' must be a text"],
    [
      'an old_str that is no text',
      { command: 'str_replace', path: 'a', old_str: 1 },
      "'old_str' and 'new_str' must be texts",
    ],
    [
      'an insert_line that is no integer',
      { command: 'insert', path: 'a', insert_line: '1', insert_text: 'x' },
      "'insert_line' must be an integer",
    ],
    ['no input', undefined, "'path' must be the path"],
  ])('answers %s with an error', async (_, input, text) => {
    const result = await edit(codingHost(), input);
    expect(result).toMatchObject({ is_error: true, content: expect.stringContaining(text) });
  });
});
