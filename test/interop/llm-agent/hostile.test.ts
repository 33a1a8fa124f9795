import { describe, expect, it } from 'vitest';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import { fromLlmAgentTool } from '../../../src/interop/llm-agent/index.js';
import { CarriedToolError } from '../../../src/tool/carried-error.js';

const BRAND = Symbol.for('caisson.CarriedToolError');

function callThatThrows(error: unknown) {
  const tool = {
    name: 't',
    parameters: { type: 'object' },
    execute: () => {
      throw error;
    },
  };
  return createToolHost({ tools: [fromLlmAgentTool(tool, { onThrow: 'result' })] }).call({ toolName: 't', args: {} });
}

describe('an error that claims to have been told already', () => {
  it.each([
    ['has none', { [BRAND]: true }],
    ['has another thing', { [BRAND]: true, toolError: { kind: 'sandbox' } }],
    ['has a kind of its own', { [BRAND]: true, toolError: { error: 'E', toolName: 't', message: 'm', kind: 'fatal' } }],
    [
      'throws when it is read',
      new Proxy(
        {},
        {
          get() {
            throw new Error('trap');
          },
        },
      ),
    ],
  ])('is an error like any other where it %s', async (_, error) => {
    await expect(callThatThrows(error)).resolves.toMatchObject({ status: 'error', error: { kind: 'execution' } });
  });

  it('is bounded as every error of the host is', async () => {
    const toolError = {
      error: 'E'.repeat(500),
      toolName: 'other',
      message: 'm'.repeat(5_000),
      kind: 'mcp' as const,
      stack: 'at /home/user/secret.ts:1',
      reason: 'not for this kind',
    };
    const outcome = await callThatThrows(new CarriedToolError(toolError));
    expect(outcome).toMatchObject({ error: { kind: 'mcp', toolName: 't', error: 'E'.repeat(100) } });
    expect(JSON.stringify(outcome).length).toBeLessThan(3_000);
    expect(JSON.stringify(outcome)).not.toContain('secret');
    expect(outcome).not.toHaveProperty('error.reason');
  });

  it('brings no part that is no JSON', async () => {
    const toolError = { error: 'E', toolName: 't', message: 'm', kind: 'execution' as const };
    const content = [{ type: 'text' as const, text: 'x', meta: { a: { n: 1n } } }];
    const outcome = await callThatThrows(new CarriedToolError(toolError, content));
    expect(outcome).not.toHaveProperty('content');
  });
});

describe('parts of no right shape', () => {
  const answering = (content: unknown) =>
    createToolHost({
      tools: [
        fromLlmAgentTool({
          name: 't',
          description: 'd',
          parameters: { type: 'object' },
          execute: () => ({ content, is_error: false }) as never,
        }),
      ],
    }).call({ toolName: 't', args: {} });

  it.each([
    [{ type: 'text' }, "'text' must be a string, not undefined"],
    [{ type: 'text', text: 7 }, "'text' must be a string, not 7"],
    [{ type: 'image', data: 'AA==' }, "'mime_type' must be a string, not undefined"],
    [{ type: 'image', mime_type: 'image/png', data: null }, "'data' must be a string, not null"],
    [{ type: 'audio', data: 'AA==' }, "'format' must be a string, not undefined"],
    [{ type: 'source', source: 's', content: [] }, "'title' must be a string, not undefined"],
    [{ type: 'source', source: 's', title: 't' }, "'content' must be an array, not undefined"],
    [{ type: 'source', source: 's', title: 't', content: [{ type: 'text' }] }, "'text' must be a string"],
    [{ type: 'video' }, "a part of type 'video'"],
    [null, 'a part of type undefined'],
  ])('%j of a tool is an error that names the tool and what is wrong', async (part, words) => {
    expect(await answering([part])).toMatchObject({
      status: 'error',
      error: { kind: 'execution', toolName: 't', message: expect.stringContaining(words) },
    });
  });

  it('are left out of an error that was told already', async () => {
    const toolError = { error: 'E', toolName: 't', message: 'm', kind: 'execution' as const };
    const good = { type: 'text', text: 'kept' };
    const content = [good, { type: 'text' }, null, { type: 'text', text: 'x', meta: 'y' }, { type: 'link', uri: 'u' }];
    const outcome = await callThatThrows(new CarriedToolError(toolError, content as never));
    expect(outcome).toMatchObject({ status: 'error', content: [good] });
  });
});
