/**
 * Tool calls of OpenAI's Chat Completions API. The client is the real SDK's type; a scripted one plays its part, so
 * that the example runs without a key.
 *
 *   node examples/openai-chat.ts
 */
import { codingTools, createToolHost } from 'caisson';
import { explainOpenAiStrict, runOpenAiToolCalls, toOpenAiTools } from 'caisson/openai';
import type OpenAI from 'openai';

type Message = OpenAI.Chat.ChatCompletionMessage;
type Client = (request: OpenAI.Chat.ChatCompletionCreateParamsNonStreaming) => Promise<Message>;

await using host = createToolHost({ sandbox: 'isolate', tools: codingTools() });

for (const tool of explainOpenAiStrict(host)) if (!tool.strict) console.log(`  ${tool.toolName}: ${tool.reason}`);
console.log(await runAgent(scriptedClient(), 'How many lines has poem.txt?'));

async function runAgent(client: Client, task: string): Promise<string> {
  const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [{ role: 'user', content: task }];
  const tools = toOpenAiTools(host, { api: 'chat' });
  for (let turn = 0; turn < 20; turn += 1) {
    const message = await client({ model: 'gpt-5.1', messages, tools });
    const { messages: answers } = await runOpenAiToolCalls(host, message);
    if (answers.length === 0) return message.content ?? '';
    for (const answer of answers) console.log(`  ${answer.tool_call_id}: ${answer.content}`);
    messages.push(message, ...answers);
  }
  return 'Stopped after 20 turns';
}

function scriptedClient(): Client {
  const call = (id: string, name: string, args: object) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: JSON.stringify(args) },
  });
  const turns = [
    [call('call_1', 'write_file', { path: 'poem.txt', content: 'one\ntwo\nthree\n' })],
    [call('call_2', 'shell', { command: 'wc -l < poem.txt' }), call('call_3', 'no_such_tool', {})],
  ];
  return async () => {
    const tool_calls = turns.shift();
    const message: Message = { role: 'assistant', content: 'It has 3 lines', refusal: null };
    return tool_calls === undefined ? message : { ...message, content: null, tool_calls };
  };
}
