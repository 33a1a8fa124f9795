/** Type tests against the real SDK: they hold when `tsc -p .` compiles this file. Nothing here runs. */
import type Anthropic from '@anthropic-ai/sdk';
import type { ToolHost } from '../../src/index.js';
import {
  type AnthropicUserMessage,
  runAnthropicToolUses,
  toAnthropicTools,
} from '../../src/interop/anthropic/index.js';

declare const host: ToolHost;
declare const client: Anthropic;

export async function run(): Promise<void> {
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'hi' }];
  const tools: Anthropic.ToolUnion[] = toAnthropicTools(host, { strict: true, codingTools: ['bash', 'text_editor'] });
  const response = await client.messages.create({ model: 'm', max_tokens: 1_000, messages, tools });
  const { message, pending } = await runAnthropicToolUses(host, response);
  const fromBlocks = await runAnthropicToolUses(host, response.content, { sessionId: 's' });
  const done = await pending?.decide({ decision: 'reject', note: 'no' });
  messages.push({ role: 'assistant', content: response.content }, message, fromBlocks.message);
  if (done !== undefined) messages.push(done.message);
}

export async function beta(): Promise<void> {
  const tools: Anthropic.Beta.BetaToolUnion[] = toAnthropicTools(host);
  const messages: Anthropic.Beta.BetaMessageParam[] = [];
  const response = await client.beta.messages.create({ model: 'm', max_tokens: 1_000, messages, tools });
  messages.push((await runAnthropicToolUses(host, response)).message);
}

declare const message: AnthropicUserMessage;
export const asMessage: Anthropic.MessageParam = message;
