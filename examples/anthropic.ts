/**
 * Anthropic's own `bash` and text editor, run in the sandbox. The client is the real SDK's type; a scripted one plays
 * its part, so that the example runs without a key.
 *
 *   node examples/anthropic.ts
 */
import type Anthropic from '@anthropic-ai/sdk';
import { codingTools, createToolHost } from 'caisson';
import { runAnthropicToolUses, toAnthropicTools } from 'caisson/anthropic';

type Blocks = Anthropic.ContentBlock[];
type Client = (request: Anthropic.MessageCreateParamsNonStreaming) => Promise<{ content: Blocks }>;

await using host = createToolHost({
  sandbox: 'isolate',
  tools: codingTools(),
  permissions: { deny: ['write_file(**/*.lock)'] },
});

console.log(await runAgent(scriptedClient(), 'Count to three in numbers.txt'));

async function runAgent(client: Client, task: string): Promise<string> {
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: task }];
  const tools = toAnthropicTools(host, { codingTools: ['bash', 'text_editor'] });
  for (let turn = 0; turn < 20; turn += 1) {
    const { content } = await client({ model: 'claude-sonnet-4-5', max_tokens: 4_096, messages, tools });
    const { message } = await runAnthropicToolUses(host, content);
    if (message.content.length === 0) return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    for (const result of message.content) console.log(`  ${result.is_error ? 'failed' : 'ok'}: ${result.content}`);
    messages.push({ role: 'assistant', content }, message);
  }
  return 'Stopped after 20 turns';
}

function scriptedClient(): Client {
  const use = (id: string, name: string, input: object): Anthropic.ToolUseBlock => ({
    type: 'tool_use',
    id,
    name,
    input,
    caller: { type: 'direct' },
  });
  const editor = 'str_replace_based_edit_tool';
  const turns: Blocks[] = [
    [use('toolu_1', editor, { command: 'create', path: '/workspace/numbers.txt', file_text: 'one\nthree\n' })],
    [
      use('toolu_2', editor, { command: 'insert', path: '/workspace/numbers.txt', insert_line: 1, insert_text: 'two' }),
      use('toolu_3', 'bash', { command: 'mkdir -p sub && cd sub && cat ../numbers.txt' }),
      use('toolu_4', 'bash', { command: 'pwd' }),
      use('toolu_5', editor, { command: 'create', path: 'package.lock', file_text: '{}' }),
    ],
    [{ type: 'text', text: 'Done: one two three', citations: null }],
  ];
  return async () => ({ content: turns.shift() ?? [] });
}
