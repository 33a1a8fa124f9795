/**
 * An agent of llm-agent with a toolkit that gives each of its runs a sandbox of its own. A mock model plays its part, so
 * that the example runs without a key.
 *
 *   node examples/llm-agent.ts
 */
import { Agent, getContentText } from '@hoangvvo/llm-agent';
import { MockLanguageModel } from '@hoangvvo/llm-sdk/test';
import { codingTools } from 'caisson';
import { toLlmToolkit } from 'caisson/llm-agent';

const coding = toLlmToolkit({
  sandbox: 'isolate',
  tools: codingTools(),
  permissions: { deny: ['shell(rm:*)'] },
});

const model = new MockLanguageModel();
model.enqueueGenerateResult(
  calls('write_file', { path: 'haiku.txt', content: 'below the water line\n' }),
  calls('shell', { command: 'rm haiku.txt' }),
  calls('shell', { command: 'wc -w < haiku.txt' }),
  { response: { content: [{ type: 'text', text: 'Done: 4 words, and the file is still there' }] } },
);

const agent = new Agent({ name: 'coder', model, toolkits: [coding] });
const response = await agent.run({
  context: undefined,
  input: [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'Write a haiku' }] }],
});
for (const item of response.output) {
  if (item.type === 'tool') console.log(`${item.tool_name}: ${item.is_error ? 'failed' : 'ok'}`);
}
console.log(getContentText(response));

function calls(tool_name: string, args: Record<string, unknown>) {
  return { response: { content: [{ type: 'tool-call' as const, tool_call_id: tool_name, tool_name, args }] } };
}
