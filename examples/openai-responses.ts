/**
 * A turn of OpenAI's Responses API whose calls run in the sandbox: a shell, a patch and a function. The client is the
 * real SDK's type; a scripted one plays its part, so that the example runs without a key.
 *
 *   node examples/openai-responses.ts
 */
import { codingTools, createToolHost } from 'caisson';
import { runOpenAiToolCalls, toOpenAiTools } from 'caisson/openai';
import type OpenAI from 'openai';

type Client = { responses: { create(request: OpenAI.Responses.ResponseCreateParamsNonStreaming): Promise<Turn> } };
type Turn = Pick<OpenAI.Responses.Response, 'output' | 'output_text'>;

await using host = createToolHost({
  sandbox: 'isolate',
  tools: codingTools(),
  permissions: { deny: ['read_file(**/.env)'], ask: ['shell(rm:*)'] },
});

console.log(await runAgent(scriptedClient(), 'Fix the greeting'));

async function runAgent(client: Client, task: string): Promise<string> {
  const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: task }];
  const tools = toOpenAiTools(host, { codingTools: ['shell', 'apply_patch'] });
  for (let turn = 0; turn < 20; turn += 1) {
    const response = await client.responses.create({ model: 'gpt-5.1', input, tools });
    let run = await runOpenAiToolCalls(host, response);
    while (run.pending !== undefined) {
      console.log(`  asked: ${JSON.stringify(run.pending.approval.args)}`);
      run = await run.pending.decide({ decision: 'reject', note: 'Keep the file' });
    }
    if (run.items.length === 0) return response.output_text;
    for (const item of run.items) console.log(`  ${item.type}: ${JSON.stringify(item.output)}`);
    input.push(...(response.output as OpenAI.Responses.ResponseInputItem[]), ...run.items);
  }
  return 'Stopped after 20 turns';
}

function scriptedClient(): Client {
  const call = { id: 'item_1', status: 'completed' as const };
  const turns: OpenAI.Responses.ResponseOutputItem[][] = [
    [
      {
        ...call,
        type: 'apply_patch_call',
        call_id: 'call_1',
        operation: { type: 'create_file', path: 'hello.txt', diff: '+Hullo, world\n' },
      },
      {
        ...call,
        type: 'apply_patch_call',
        call_id: 'call_2',
        operation: { type: 'update_file', path: 'hello.txt', diff: '@@\n-Hullo, world\n+Hello, world\n' },
      },
    ],
    [
      {
        ...call,
        type: 'shell_call',
        call_id: 'call_3',
        environment: null,
        action: { commands: ['cat hello.txt', 'rm hello.txt'], timeout_ms: 10_000, max_output_length: 1_000 },
      },
      { ...call, type: 'function_call', call_id: 'call_4', name: 'read_file', arguments: '{"path":"hello.txt"}' },
    ],
    [],
  ];
  const create = async (): Promise<Turn> => ({ output: turns.shift() ?? [], output_text: 'Done: Hello, world' });
  return { responses: { create } };
}
