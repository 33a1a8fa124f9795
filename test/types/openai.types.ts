/** Type tests against the real SDK: they hold when `tsc -p .` compiles this file. Nothing here runs. */
import type OpenAI from 'openai';
import type { ToolHost } from '../../src/index.js';
import {
  type OpenAiOutputItem,
  type OpenAiToolMessage,
  runOpenAiToolCalls,
  toOpenAiTools,
} from '../../src/interop/openai/index.js';

declare const host: ToolHost;
declare const client: OpenAI;

export async function responses(): Promise<void> {
  const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'hi' }];
  const tools: OpenAI.Responses.Tool[] = toOpenAiTools(host, { codingTools: ['shell', 'local_shell', 'apply_patch'] });
  const response = await client.responses.create({ model: 'm', input, tools });
  const { items } = await runOpenAiToolCalls(host, response);
  const fromItems = await runOpenAiToolCalls(host, response.output);
  input.push(...items, ...fromItems.items);
  const streamed: OpenAI.Responses.ResponseOutputItem[] = [];
  input.push(...(await runOpenAiToolCalls(host, streamed)).items);
}

export async function chat(): Promise<void> {
  const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [{ role: 'user', content: 'hi' }];
  const tools: OpenAI.Chat.ChatCompletionTool[] = toOpenAiTools(host, { api: 'chat' });
  const completion = await client.chat.completions.create({ model: 'm', messages, tools });
  const message = completion.choices[0]?.message;
  if (message === undefined) return;
  const run = await runOpenAiToolCalls(host, message, { sessionId: 's' });
  messages.push(message, ...run.messages);
  const done = await run.pending?.decide({ decision: 'approve' });
  messages.push(...(done?.messages ?? []));
}

declare const item: OpenAiOutputItem;
export const asInput: OpenAI.Responses.ResponseInputItem = item;
declare const toolMessage: OpenAiToolMessage;
export const asMessage: OpenAI.Chat.ChatCompletionToolMessageParam = toolMessage;

// @ts-expect-error - the Chat Completions API has no coding tools of its own in this form
export const wrong: OpenAI.Chat.ChatCompletionTool[] = toOpenAiTools(host);
