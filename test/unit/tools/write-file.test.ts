import { describe, expect, it } from 'vitest';
import { createWriteFileTool } from '../../../src/tools/files/write-file.js';
import { callTool, refusal } from './call-tool.js';
import { createMemorySandbox } from './memory-sandbox.js';

const tool = createWriteFileTool();

describe('write_file', () => {
  it('writes UTF-8 and says whether the file is new', async () => {
    const sandbox = createMemorySandbox();
    expect(await callTool(tool, { path: '/workspace/a/b.txt', content: 'grüße' }, sandbox)).toEqual({
      path: 'a/b.txt',
      bytes: 7,
      created: true,
    });
    expect(await callTool(tool, { path: 'a/b.txt', content: '' }, sandbox)).toEqual({
      path: 'a/b.txt',
      bytes: 0,
      created: false,
    });
    expect(sandbox.text('a/b.txt')).toBe('');
  });

  it('keeps the mode of the file it replaces', async () => {
    const sandbox = createMemorySandbox();
    sandbox.put('run.sh', 'old', 0o755);
    await callTool(tool, { path: 'run.sh', content: 'new' }, sandbox);
    expect([sandbox.text('run.sh'), sandbox.mode('run.sh')]).toEqual(['new', 0o755]);
  });

  it('refuses a directory and names a way out', async () => {
    const sandbox = createMemorySandbox();
    sandbox.put('src/a', '');
    const error = await refusal(callTool(tool, { path: 'src', content: 'x' }, sandbox));
    expect([error.code, error.message]).toEqual([
      'is_directory',
      'Cannot write "src": it is a directory; name a file in it',
    ]);
  });

  it('refuses text that UTF-8 cannot carry, before anything is written', async () => {
    const sandbox = createMemorySandbox();
    sandbox.put('a', 'kept');
    expect((await refusal(callTool(tool, { path: 'a', content: 'half \ud83d' }, sandbox))).code).toBe('encoding');
    expect(sandbox.text('a')).toBe('kept');
  });

  it('hands on the refusal of a path outside the workspace', async () => {
    expect((await refusal(callTool(tool, { path: '../x', content: '' }, createMemorySandbox()))).code).toBe(
      'path_escape',
    );
  });
});
