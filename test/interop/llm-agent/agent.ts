import { Agent, type AgentParams } from '@hoangvvo/llm-agent';
import { MockLanguageModel } from '@hoangvvo/llm-sdk/test';

export type Turn = { text: string } | { calls: { id: string; name: string; args: Record<string, unknown> }[] };

export function call(id: string, name: string, args: Record<string, unknown> = {}): Turn {
  return { calls: [{ id, name, args }] };
}

export const DONE: Turn = { text: 'done' };

export interface ToolItem {
  type: 'tool';
  tool_call_id: string;
  tool_name: string;
  output: unknown[];
  is_error: boolean;
}

/** Runs the real agent with its mock model. */
export async function runAgent<Context>(
  params: Pick<AgentParams<Context>, 'tools' | 'toolkits'>,
  { turns, context }: { turns: Turn[]; context: Context },
) {
  const model = new MockLanguageModel();
  model.enqueueGenerateResult(
    ...turns.map((turn) => ({
      response: {
        content:
          'text' in turn
            ? [{ type: 'text' as const, text: turn.text }]
            : turn.calls.map(({ id, name, args }) => ({
                type: 'tool-call' as const,
                tool_call_id: id,
                tool_name: name,
                args,
              })),
      },
    })),
  );
  const agent = new Agent<Context>({ name: 'tester', model, ...params });
  const input = [{ type: 'message' as const, role: 'user' as const, content: [{ type: 'text' as const, text: 'Go' }] }];
  const { output } = await agent.run({ context, input });
  const results = output.filter((item) => item.type === 'tool') as unknown as ToolItem[];
  return { results, inputs: model.trackedGenerateInputs };
}
