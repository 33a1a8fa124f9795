import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createIsolateSandbox, createToolHost, defineTool } from '../../src/index.js';
import {
  createHarnessSandboxProvider,
  fromAiSdkTool,
  fromAiSdkTools,
  loadAiSdkTools,
  toAiSdkSandbox,
  toAiSdkTools,
} from '../../src/interop/ai-sdk/index.js';
import { toAnthropicTools } from '../../src/interop/anthropic/index.js';
import { fromLlmAgentTool, fromLlmToolkit, toLlmAgentTools, toLlmToolkit } from '../../src/interop/llm-agent/index.js';
import { connectMcp, loadMcpTools, serveMcp, serveMcpHttp } from '../../src/interop/mcp/index.js';
import { toOpenAiTools } from '../../src/interop/openai/index.js';

const host = createToolHost({
  tools: [defineTool({ name: 'one', description: 'One', input: z.object({}), execute: () => 1 })],
});
const aiTool = { description: 'One', inputSchema: z.object({}), execute: () => 1 };
const llmTool = {
  name: 'one',
  description: 'One',
  parameters: { type: 'object', properties: {} },
  execute: () => ({ content: [], is_error: false }),
};
const toolkit = {
  createSession: async () => ({ getSystemPrompt: () => undefined, getTools: () => [llmTool], close: async () => {} }),
};
const wrong = (options: object) => options as never;

/** Each entry point that takes options, with a slip in the name of one, or in its value. */
const SLIPS: [string, string, () => unknown][] = [
  ['toAiSdkTools', "did you mean 'errors'", () => toAiSdkTools(host, wrong({ error: 'value' }))],
  ['fromAiSdkTool', "did you mean 'sandbox'", () => fromAiSdkTool('one', aiTool, wrong({ sandbx: 'require' }))],
  ['fromAiSdkTool', "'sandbox' must be one of", () => fromAiSdkTool('one', aiTool, wrong({ sandbox: 'required' }))],
  ['fromAiSdkTools', "Cannot import tool 'one'", () => fromAiSdkTools({ one: aiTool }, wrong({ sandbx: 'require' }))],
  ['fromAiSdkTools', 'Cannot import tools: give them as an object', () => fromAiSdkTools(wrong([aiTool]))],
  ['loadAiSdkTools', "did you mean 'clientSide'", () => loadAiSdkTools({ one: aiTool }, wrong({ clientside: true }))],
  ['toAiSdkSandbox', "did you mean 'timeoutMs'", () => toAiSdkSandbox(createIsolateSandbox(), wrong({ timeout: 5 }))],
  ['toAiSdkSandbox', "'timeoutMs' must be", () => toAiSdkSandbox(createIsolateSandbox(), { timeoutMs: 0 })],
  ['createHarnessSandboxProvider', "unknown option 'port'", () => createHarnessSandboxProvider(wrong({ port: [1] }))],
  ['toLlmAgentTools', "did you mean 'approve'", () => toLlmAgentTools(host, wrong({ aprove: () => true }))],
  ['toLlmToolkit', "did you mean 'approve'", () => toLlmToolkit({}, wrong({ aprove: () => true }))],
  ['toLlmToolkit', "did you mean 'tools'", () => toLlmToolkit(wrong({ toolz: [] }))],
  ['toLlmToolkit', 'a host of its own', () => toLlmToolkit(wrong(host))],
  ['fromLlmAgentTool', "did you mean 'onThrow'", () => fromLlmAgentTool(llmTool, wrong({ onthrow: 'result' }))],
  ['fromLlmAgentTool', "'onThrow' must be one of", () => fromLlmAgentTool(llmTool, wrong({ onThrow: 'results' }))],
  [
    'fromLlmToolkit',
    "did you mean 'onThrow'",
    async () => {
      const session = await fromLlmToolkit(toolkit, {}, wrong({ onthrow: 'result' }));
      session.tools();
    },
  ],
  ['connectMcp', "did you mean 'approvals'", () => connectMcp(wrong({ servers: {}, approval: 'always' }))],
  ['loadMcpTools', "did you mean 'approvals'", () => loadMcpTools(wrong({}), 'far', wrong({ approval: 'always' }))],
  ['serveMcp', "did you mean 'approvals'", () => serveMcp(host, undefined, wrong({ approval: 'deny' }))],
  ['serveMcpHttp', "did you mean 'approvals'", () => serveMcpHttp(host, wrong({ approval: 'deny' }))],
  ['toOpenAiTools', "did you mean 'codingTools'", () => toOpenAiTools(host, wrong({ codingTool: ['shell'] }))],
  [
    'toOpenAiTools',
    "'codingTools[0]' must be one of shell, local_shell, apply_patch, not 'bash'",
    () => toOpenAiTools(host, wrong({ codingTools: ['bash'] })),
  ],
  ['toOpenAiTools', "'api' must be one of responses, chat", () => toOpenAiTools(host, wrong({ api: 'completions' }))],
  ['toAnthropicTools', "did you mean 'strict'", () => toAnthropicTools(host, wrong({ strct: true }))],
  [
    'toAnthropicTools',
    "'codingTools[0]' must be one of bash, text_editor, not 'shell'",
    () => toAnthropicTools(host, wrong({ codingTools: ['shell'] })),
  ],
];

describe('options of the integrations', () => {
  it.each(SLIPS)('%s() refuses a slip and says what was meant: %s', async (_name, message, use) => {
    await expect((async () => use())()).rejects.toThrow(message);
    await expect((async () => use())()).rejects.toBeInstanceOf(TypeError);
  });
});
