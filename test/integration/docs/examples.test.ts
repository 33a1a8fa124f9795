import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ROOT } from './pages.js';

const run = promisify(execFile);

/** The last line each example prints. */
const ENDS: Record<string, string> = {
  'examples/agent-loop.ts': 'Done: 14 words.',
  'examples/ai-sdk.ts': 'Done: notes.txt is gone',
  'examples/llm-agent.ts': 'Done: 4 words, and the file is still there',
  'examples/mcp-server-and-client.ts': 'Words: 3',
  'examples/anthropic.ts': 'Done: one two three',
  'examples/openai-chat.ts': 'It has 3 lines',
  'examples/openai-responses.ts': 'Done: Hello, world',
  'examples/review-before-commit.ts': 'On disk: Hello',
};

describe('examples', () => {
  it('are all held by this test', () => {
    const examples = globSync('examples/*.ts', { cwd: ROOT }).filter((path) => !path.endsWith('.test.ts'));
    expect(examples.sort()).toEqual(Object.keys(ENDS).sort());
  });

  it.each(Object.entries(ENDS))('%s ends with %j', { timeout: 60_000 }, async (path, end) => {
    const { stdout } = await run(process.execPath, [path], { cwd: ROOT, timeout: 50_000 });
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(end);
  });
});
