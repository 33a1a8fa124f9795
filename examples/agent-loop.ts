/**
 * A whole agent loop around a host. `Model` stands for any chat API that takes tools and answers tool calls; here a
 * scripted one plays its part, so that the example runs without a key.
 *
 *   node examples/agent-loop.ts
 */
import { codingTools, createToolHost, type ToolCall, type ToolListing, type ToolOutcome } from 'caisson';

type Model = (
  messages: readonly unknown[],
  tools: readonly ToolListing[],
) => Promise<{ text: string; calls: ToolCall[] }>;

await using host = createToolHost({
  sandbox: 'isolate',
  tools: codingTools(),
  permissions: { deny: ['read_file(**/.env)'] },
  onEvent: (event) => {
    if (event.type === 'decision') console.log(`  ${event.toolName}: ${event.decision.effect}`);
  },
});

console.log(await runAgent(scriptedModel(), 'Write a haiku to haiku.txt and count its words'));

async function runAgent(model: Model, task: string): Promise<string> {
  const messages: unknown[] = [{ role: 'user', content: task }];
  for (let turn = 0; turn < 20; turn += 1) {
    const { text, calls } = await model(messages, host.tools());
    if (calls.length === 0) return text;
    const outcomes = await host.callMany(calls, { messages });
    messages.push({ role: 'assistant', content: text, calls }, ...outcomes.map(toolMessage));
  }
  return 'Stopped after 20 turns';
}

/** A failure goes back to the model like a result: it says what to do next. */
function toolMessage(outcome: ToolOutcome) {
  const content =
    outcome.status === 'ok' ? outcome.output : outcome.status === 'error' ? outcome.error : outcome.approval;
  return { role: 'tool', toolCallId: outcome.toolCallId, content };
}

function scriptedModel(): Model {
  const poem = 'below the water line\na caisson keeps the river out\nthe work goes on, dry\n';
  const turns = [
    { text: 'I write it.', calls: [{ toolName: 'write_file', args: { path: 'haiku.txt', content: poem } }] },
    { text: 'I count.', calls: [{ toolName: 'shell', args: { command: 'wc -w < haiku.txt' } }] },
    { text: 'Done: 14 words.', calls: [] },
  ];
  return async () => turns.shift() ?? { text: 'Nothing left to do', calls: [] };
}
