import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { codingTools, createToolHost, defineTool, ToolRegistry } from '../../../src/index.js';
import { explainAnthropicStrict, toAnthropicTools } from '../../../src/interop/anthropic/index.js';
import { add, say } from '../provider/tools.js';

describe('toAnthropicTools()', () => {
  it('gives tools in the form of the Messages API', () => {
    const host = createToolHost({ tools: [add, say], permissions: { deny: ['say'] } });
    expect(toAnthropicTools(host)).toEqual([
      {
        name: 'add',
        description: 'Adds two numbers',
        input_schema: {
          type: 'object',
          properties: { a: { type: 'number' }, b: { type: 'number' } },
          required: ['a', 'b'],
          additionalProperties: false,
        },
      },
    ]);
  });

  it('sets strict where asked for and where the schema allows it, and says why not elsewhere', () => {
    const short = defineTool({
      name: 'short',
      description: 'S',
      input: z.strictObject({ s: z.string().max(3) }),
      execute: () => 1,
    });
    const maybe = defineTool({
      name: 'maybe',
      description: 'M',
      input: z.strictObject({ s: z.string().optional() }),
      execute: () => 1,
    });
    const host = createToolHost({ tools: [add, short, maybe] });
    expect(toAnthropicTools(host, { strict: true }).map((tool) => 'strict' in tool && tool.strict)).toEqual([
      true,
      false,
      true,
    ]);
    expect(explainAnthropicStrict(host)[1]).toEqual({
      toolName: 'short',
      strict: false,
      reason: "Strict mode does not take the schema: 's' uses 'maxLength'",
    });
  });

  it('gives the examples of a tool', () => {
    const inputExamples = [{ input: { a: 1, b: 2 } }];
    const told = defineTool({ name: 'add', description: 'A', input: add.input, inputExamples, execute: () => 1 });
    const host = createToolHost({ tools: [told] });
    expect(toAnthropicTools(host)).toMatchObject([{ name: 'add', input_examples: [{ a: 1, b: 2 }] }]);
  });

  it('makes at most 20 tools strict', () => {
    const tools = Array.from({ length: 22 }, (_, index) => ({ ...add, name: `add_${index}` }));
    const host = createToolHost({ tools });
    expect(toAnthropicTools(host, { strict: true }).filter((tool) => 'strict' in tool)).toHaveLength(20);
    expect(explainAnthropicStrict(host).at(-1)).toMatchObject({
      strict: false,
      reason: 'A request takes at most 20 strict tools',
    });
  });

  it('does not take recursive schemas as strict', () => {
    const inputSchema = {
      type: 'object',
      properties: { node: { $ref: '#/$defs/a' } },
      additionalProperties: false,
      $defs: {
        a: { type: 'object', properties: { b: { $ref: '#/$defs/b' } }, additionalProperties: false },
        b: { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, additionalProperties: false },
      },
    };
    const told = explainAnthropicStrict({
      tools: () => [{ name: 't', displayName: 't', description: 't', inputSchema }],
      registry: new ToolRegistry(),
    });
    expect(told).toMatchObject([{ strict: false, reason: expect.stringContaining('is recursive') }]);
  });

  it('offers coding tools in place of the ones they stand for, where they can run', () => {
    const all = createToolHost({ tools: codingTools() });
    expect(toAnthropicTools(all, { codingTools: ['bash', 'text_editor'] })).toMatchObject([
      { name: 'glob' },
      { name: 'grep' },
      { type: 'bash_20250124', name: 'bash' },
      { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
    ]);
    const few = createToolHost({ tools: codingTools({ readOnly: true }) });
    expect(
      toAnthropicTools(few, { codingTools: ['bash', 'text_editor'] }).every((tool) => 'input_schema' in tool),
    ).toBe(true);
  });
});
