import { describe, expect, it } from 'vitest';
import { createListDirTool } from '../../../src/tools/files/list-dir.js';
import { callTool, refusal } from './call-tool.js';
import { createMemorySandbox } from './memory-sandbox.js';

const tool = createListDirTool();

describe('list_dir', () => {
  it('lists the workspace by default, with types and sizes', async () => {
    const sandbox = createMemorySandbox();
    sandbox.put('src/a.ts', 'x');
    sandbox.put('.env', 'KEY=1');
    expect(await callTool(tool, {}, sandbox)).toEqual({
      path: '.',
      entries: [
        { name: '.env', type: 'file', size: 5 },
        { name: 'src', type: 'directory', size: 0 },
      ],
      totalEntries: 2,
    });
  });

  it('shows at most 200 entries and says how many there are', async () => {
    const sandbox = createMemorySandbox();
    for (let index = 0; index < 201; index += 1) sandbox.put(`d/f${index}`, '');
    const result = await callTool(tool, { path: 'd' }, sandbox);
    expect([result.entries.length, result.totalEntries]).toEqual([200, 201]);
    expect(result.note).toBe('Showing the first 200 of 201 entries; narrow it down with glob');
  });

  it('says that a directory is empty', async () => {
    expect(await callTool(tool, {}, createMemorySandbox())).toMatchObject({
      entries: [],
      note: 'The directory is empty',
    });
  });

  it('refuses what is missing, and a file', async () => {
    const sandbox = createMemorySandbox();
    sandbox.put('a', '');
    expect((await refusal(callTool(tool, { path: 'nope' }, sandbox))).code).toBe('not_found');
    const error = await refusal(callTool(tool, { path: 'a' }, sandbox));
    expect([error.code, error.message]).toEqual(['not_directory', 'Cannot list "a": it is a file; use read_file']);
  });
});
