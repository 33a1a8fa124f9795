import { describe, expect, it } from 'vitest';
import { runOpenAiToolCalls } from '../../../src/interop/openai/index.js';
import { codingHost, put, textOf } from '../provider/hosts.js';

type Operation = { type: string; path: string; diff?: string };

const patchCall = (operation: Operation | Record<string, unknown>, call_id = 'call_1') => ({
  type: 'apply_patch_call',
  id: 'apc_1',
  call_id,
  status: 'completed',
  operation,
});

describe('apply_patch_call', () => {
  it('creates a file with the bytes of its lines', async () => {
    const host = codingHost();
    const diff = '+# Title\n+\n+  "quotes" \\ $dollars `ticks`\n';
    const { items } = await runOpenAiToolCalls(host, [patchCall({ type: 'create_file', path: 'docs/a.md', diff })]);
    expect(items).toEqual([
      { type: 'apply_patch_call_output', call_id: 'call_1', status: 'completed', output: 'Created docs/a.md' },
    ]);
    expect(await textOf(host, 'docs/a.md')).toBe('# Title\n\n  "quotes" \\ $dollars `ticks`\n');
  });

  it('never creates a file over another', async () => {
    const host = codingHost();
    await put(host, 'a.txt', 'mine\n');
    await put(host, 'b.bin', new Uint8Array([0, 1, 2]));
    const { items } = await runOpenAiToolCalls(host, [
      patchCall({ type: 'create_file', path: 'a.txt', diff: '+theirs\n' }, 'call_1'),
      patchCall({ type: 'create_file', path: 'b.bin', diff: '+theirs\n' }, 'call_2'),
    ]);
    expect(items).toMatchObject([
      {
        call_id: 'call_1',
        status: 'failed',
        output: 'Cannot create "a.txt": the file exists already; use update_file',
      },
      { call_id: 'call_2', status: 'failed', output: expect.stringContaining('exists already') },
    ]);
    expect(await textOf(host, 'a.txt')).toBe('mine\n');
  });

  it('updates a file and keeps its byte-order mark, line ends and every other byte', async () => {
    const host = codingHost();
    await put(host, 'a.ts', '\uFEFFone\r\ntwo \r\nthree\r\nfour');
    const diff = '@@\n one\n-two\n+2\n+two and a half\n three\n';
    const { items } = await runOpenAiToolCalls(host, [patchCall({ type: 'update_file', path: 'a.ts', diff })]);
    expect(items).toMatchObject([{ status: 'completed', output: 'Updated a.ts' }]);
    expect(await textOf(host, 'a.ts')).toBe('\uFEFFone\r\n2\r\ntwo and a half\r\nthree\r\nfour');
  });

  it('updates files longer than one read, at the right one of many equal places', async () => {
    const host = codingHost();
    const lines = Array.from({ length: 5_000 }, (_, index) => (index % 10 === 0 ? `// part ${index}` : 'same();'));
    await put(host, 'long.js', `${lines.join('\n')}\n`);
    const diff = '@@ // part 4000\n same();\n-same();\n+other();\n same();\n';
    await runOpenAiToolCalls(host, [patchCall({ type: 'update_file', path: 'long.js', diff })]);
    lines[4002] = 'other();';
    expect(await textOf(host, 'long.js')).toBe(`${lines.join('\n')}\n`);
  });

  it('deletes a file whatever its name, and nothing else', async () => {
    const host = codingHost();
    const name = "-rf it's $(touch oops).txt";
    await put(host, name, 'x');
    await put(host, 'dir/kept.txt', 'kept');
    const { items } = await runOpenAiToolCalls(host, [
      patchCall({ type: 'delete_file', path: name }, 'call_1'),
      patchCall({ type: 'delete_file', path: 'dir' }, 'call_2'),
      patchCall({ type: 'delete_file', path: 'ghost.txt' }, 'call_3'),
    ]);
    expect(items).toMatchObject([
      { status: 'completed', output: `Deleted ${name}` },
      { status: 'failed', output: expect.stringContaining('Cannot delete "dir"') },
      { status: 'failed', output: expect.stringContaining('Cannot delete "ghost.txt"') },
    ]);
    expect(await textOf(host, name)).toBeUndefined();
    expect(await textOf(host, 'oops')).toBeUndefined();
    expect(await textOf(host, 'dir/kept.txt')).toBe('kept');
  });

  it('answers a missing file, a directory and a diff that does not fit without changing anything', async () => {
    const host = codingHost();
    await put(host, 'a.txt', 'one\ntwo\nthree\n');
    const { items } = await runOpenAiToolCalls(host, [
      patchCall({ type: 'update_file', path: 'ghost.txt', diff: '-a\n+b\n' }),
      patchCall({ type: 'update_file', path: '.', diff: '-a\n+b\n' }),
      patchCall({ type: 'update_file', path: 'a.txt', diff: '@@\n one\n-zwei\n+2\n' }),
    ]);
    expect(items.map((item) => 'status' in item && item.status)).toEqual(['failed', 'failed', 'failed']);
    const [missing, directory, unfit] = items.map((item) => String(item.output));
    expect(JSON.parse(missing ?? '')).toMatchObject({ kind: 'execution', code: 'not_found' });
    expect(JSON.parse(directory ?? '')).toMatchObject({ kind: 'execution', code: 'is_directory' });
    expect(unfit).toBe(
      'Cannot apply the diff to "a.txt": these lines were not found:\n  one\n  zwei\n' +
        'They match from line 1 on, but at line 2 the file has "two" where the diff has "zwei". Read the file again and copy its lines exactly',
    );
    expect(await textOf(host, 'a.txt')).toBe('one\ntwo\nthree\n');
  });

  it('holds path rules in every operation', async () => {
    const host = codingHost({
      permissions: { deny: ['write_file(secrets/**)', 'read_file(**/.env)'] },
      files: { 'secrets/key.txt': 'old\n', '.env': 'KEY=hunter2\n' },
    });
    const { items } = await runOpenAiToolCalls(host, [
      patchCall({ type: 'create_file', path: 'secrets/new.txt', diff: '+x\n' }),
      patchCall({ type: 'update_file', path: 'secrets/key.txt', diff: '-old\n+new\n' }),
      patchCall({ type: 'update_file', path: './a/../secrets/key.txt', diff: '-old\n+new\n' }),
      patchCall({ type: 'delete_file', path: 'secrets/key.txt' }),
      patchCall({ type: 'update_file', path: '.env', diff: '-KEY=wrong\n+KEY=mine\n' }),
    ]);
    for (const item of items) {
      expect(item).toMatchObject({ status: 'failed' });
      expect(JSON.parse(String(item.output))).toMatchObject({ kind: 'denied', code: 'permission_denied' });
      expect(JSON.stringify(item)).not.toContain('hunter2');
    }
    expect(await textOf(host, 'secrets/key.txt')).toBe('old\n');
    expect(await textOf(host, 'secrets/new.txt')).toBeUndefined();
  });

  it('asks about the change and not about the file, and applies what was approved', async () => {
    const host = codingHost({ permissions: { ask: ['edit_file'] } });
    await put(host, 'a.txt', `${'line\n'.repeat(500)}old\n${'line\n'.repeat(500)}`);
    const call = patchCall({ type: 'update_file', path: 'a.txt', diff: '-old\n+new\n' });
    const paused = await runOpenAiToolCalls(host, [call]);
    expect(paused.items).toEqual([]);
    expect(paused.pending?.approval).toMatchObject({
      toolName: 'edit_file',
      args: { path: 'a.txt', old_string: 'old\n', new_string: 'new\n' },
    });
    const done = await paused.pending?.decide({ decision: 'approve' });
    expect(done).toMatchObject({ items: [{ status: 'completed' }] });
    expect(done?.pending).toBeUndefined();
    expect(await textOf(host, 'a.txt')).toContain('line\nnew\nline\n');
  });

  it('says so when the file changed while a person was thinking', async () => {
    const host = codingHost({ permissions: { ask: ['edit_file'] } });
    await put(host, 'a.txt', 'old\n');
    const paused = await runOpenAiToolCalls(host, [
      patchCall({ type: 'update_file', path: 'a.txt', diff: '-old\n+new\n' }),
    ]);
    await put(host, 'a.txt', 'other\n');
    const done = await paused.pending?.decide({ decision: 'approve' });
    expect(done?.items).toMatchObject([{ status: 'failed', output: expect.stringContaining('edit_not_found') }]);
    expect(await textOf(host, 'a.txt')).toBe('other\n');
  });

  it.each([
    ['no operation', undefined],
    ['an unknown type', { type: 'move_file', path: 'a' }],
    ['no path', { type: 'delete_file' }],
    ['a NUL in the path', { type: 'delete_file', path: 'a\0b' }],
    ['no diff', { type: 'update_file', path: 'a' }],
    ['a diff that is no text', { type: 'create_file', path: 'a', diff: { toString: 'x' } }],
    ['inherited members', Object.create({ type: 'delete_file', path: 'a' })],
  ])('answers %s with a validation error', async (_, operation) => {
    const { items } = await runOpenAiToolCalls(codingHost(), [patchCall(operation as Operation)]);
    expect(items).toMatchObject([{ type: 'apply_patch_call_output', call_id: 'call_1', status: 'failed' }]);
    expect(JSON.parse(String(items[0]?.output))).toMatchObject({ kind: 'validation', toolName: 'apply_patch' });
  });

  it('refuses a huge diff at once', async () => {
    const diff = '+x\n'.repeat(3_000_000);
    const { items } = await runOpenAiToolCalls(codingHost(), [patchCall({ type: 'create_file', path: 'a', diff })]);
    expect(String(items[0]?.output)).toContain('at most 8388608 are read');
  });
});
