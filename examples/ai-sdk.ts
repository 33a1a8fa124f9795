/**
 * An agent of the AI SDK whose tools run in a sandbox: files and commands, a deny rule the model is told of, and a call
 * that stops the run until a person decides. A mock model plays its part, so that the example runs without a key.
 * In this repository version 7 of the AI SDK is called `ai7`; elsewhere write `ai`.
 *
 *   node examples/ai-sdk.ts
 */
import { generateText, isStepCount, type ModelMessage, type ToolSet } from 'ai7';
import { MockLanguageModelV4 } from 'ai7/test';
import { codingTools, createToolHost } from 'caisson';
import { toAiSdkToolApproval, toAiSdkTools } from 'caisson/ai-sdk';

await using host = createToolHost({
  sandbox: 'isolate',
  tools: codingTools(),
  permissions: { deny: ['read_file(**/.env)'], ask: ['shell(rm:*)'] },
});

const model = scriptedModel([
  ['write_file', { path: 'notes.txt', content: 'one\ntwo\n' }],
  ['read_file', { path: '.env' }],
  ['shell', { command: 'rm notes.txt' }],
]);
const tools: ToolSet = toAiSdkTools(host);
const settings = { model, tools, toolApproval: toAiSdkToolApproval(host), stopWhen: isStepCount(10) };
const messages: ModelMessage[] = [{ role: 'user', content: 'Tidy up' }];

const first = await generateText({ ...settings, messages });
for (const message of first.responseMessages) {
  if (message.role !== 'tool') continue;
  for (const part of message.content) {
    if (part.type === 'tool-result') console.log(`${part.toolName}: ${part.output.type}`);
  }
}

// The refusal above is a request too, one that was answered by itself.
const request = first.content.find((part) => part.type === 'tool-approval-request' && part.isAutomatic !== true);
if (request?.type !== 'tool-approval-request') throw new Error('The model asked for nothing');
console.log(`asked about: ${JSON.stringify(request.toolCall.input)}`);

messages.push(...first.responseMessages, {
  role: 'tool',
  content: [{ type: 'tool-approval-response', approvalId: request.approvalId, approved: true }],
});
const second = await generateText({ ...settings, messages });
console.log(second.text);

function scriptedModel(calls: [toolName: string, args: object][]): MockLanguageModelV4 {
  const usage = {
    inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 0, text: 0, reasoning: 0 },
  };
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const [toolName, args] = calls.shift() ?? [];
      const done = toolName === undefined;
      return {
        content: done
          ? [{ type: 'text', text: 'Done: notes.txt is gone' }]
          : [{ type: 'tool-call', toolCallId: toolName, toolName, input: JSON.stringify(args) }],
        finishReason: { unified: done ? 'stop' : 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
}
