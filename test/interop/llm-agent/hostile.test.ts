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
