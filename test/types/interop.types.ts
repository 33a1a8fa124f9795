/** The real packages' types and ours fit without a cast, in both directions. Checked by the compiler alone. */
import { type AgentTool, tool as llmTool, type Toolkit } from '@hoangvvo/llm-agent';
import { type ToolSet as ToolSet6, tool as tool6 } from 'ai';
import {
  dynamicTool,
  type Experimental_SandboxSession,
  type generateText,
  type ToolSet as ToolSet7,
  tool as tool7,
} from 'ai7';
import type { createBashTool } from 'bash-tool';
import { z } from 'zod';
import type { ToolHost } from '../../src/host/types.js';
import {
  fromAiSdkSandbox,
  fromAiSdkTool,
  fromAiSdkTools,
  toAiSdkSandbox,
  toAiSdkToolApproval,
  toAiSdkTools,
} from '../../src/interop/ai-sdk/index.js';
import { fromLlmAgentTool, fromLlmToolkit, toLlmAgentTools, toLlmToolkit } from '../../src/interop/llm-agent/index.js';
import type { Sandbox } from '../../src/sandbox/contract.js';

declare const host: ToolHost;
declare const sandbox: Sandbox;
declare const session: Experimental_SandboxSession;
declare const set: ToolSet7;
declare const bash: Awaited<ReturnType<typeof createBashTool>>;
declare const toolkit: Toolkit<{ n: number }>;

const inputSchema = z.object({ a: z.string() });
const six = tool6({ description: 'x', inputSchema, needsApproval: ({ a }) => a === '', execute: async ({ a }) => a });
const seven = tool7({
  description: 'x',
  inputSchema,
  execute: async ({ a }, { experimental_sandbox }) => experimental_sandbox?.description ?? a,
  toModelOutput: ({ output }) => ({ type: 'text', value: output }),
});
const dynamic = dynamicTool({ inputSchema: z.object({}), execute: async () => 1 });
const agentTool = llmTool<{ n: number }, { q: string }>({
  name: 'x',
  description: 'x',
  parameters: {},
  execute: ({ q }, { n }) => ({ content: [{ type: 'text', text: q + n }], is_error: false }),
});

export const imported = [
  fromAiSdkTool('six', six),
  fromAiSdkTool('seven', seven),
  ...fromAiSdkTools({ six, seven, dynamic }),
  ...fromAiSdkTools(set),
  ...fromAiSdkTools(bash.tools),
  ...fromAiSdkTools(toAiSdkTools(host)),
  fromLlmAgentTool(agentTool),
  ...toLlmAgentTools(host).map((tool) => fromLlmAgentTool(tool)),
];
export const importedToolkit = fromLlmToolkit(toolkit, { n: 1 });
export const importedSandbox: Sandbox = fromAiSdkSandbox(session);

export const toSix: ToolSet6 = toAiSdkTools(host);
export const toSeven: ToolSet7 = toAiSdkTools(host);
export const toApproval: NonNullable<Parameters<typeof generateText<ToolSet7>>[0]['toolApproval']> =
  toAiSdkToolApproval(host);
export const toSession: Experimental_SandboxSession = toAiSdkSandbox(sandbox);
export const toBashTool: NonNullable<Parameters<typeof createBashTool>[0]> = { sandbox: toAiSdkSandbox(sandbox) };
export const toAgent: AgentTool<{ n: number }>[] = toLlmAgentTools(host);
export const toToolkit: Toolkit<{ n: number }> = toLlmToolkit({});
