import * as ai6 from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import * as ai7 from 'ai7';
import { MockLanguageModelV4 } from 'ai7/test';
import type { ToolErrorResult } from '../../../src/tool/result.js';

/** What the model does in one turn: says something, or makes calls. */
export type Turn = { text: string } | { calls: { id: string; name: string; args: unknown }[] };

/** A part of a step or stream, as far as tests look at it. */
export interface Part {
  type: string;
  toolCallId?: string;
  toolName?: string;
  output?: unknown;
  error?: unknown;
  preliminary?: boolean;
  approvalId?: string;
  toolCall?: { toolCallId: string };
  [key: string]: unknown;
}

export interface Run {
  parts: Part[];
  /** The prompts of the model, one for each turn. */
  prompts: { role: string; content: Part[] }[][];
  /** The tools as the model was told of them. */
  listed: Record<string, unknown>[];
  /** The transcript after the run. */
  messages: unknown[];
}

export interface RunOptions {
  tools: unknown;
  turns: Turn[];
  messages?: unknown[];
  [option: string]: unknown;
}

export interface Sdk {
  version: 6 | 7;
  generate(options: RunOptions): Promise<Run>;
  stream(options: RunOptions): Promise<Run>;
}

/** Both versions, each with its own mock model. */
export const SDKS: Sdk[] = [makeSdk(6), makeSdk(7)];

/** Both versions in both ways of running. */
export const RUNS = SDKS.flatMap(({ version, generate, stream }) => [
  { label: `v${version} generateText`, version, run: generate, isStream: false },
  { label: `v${version} streamText`, version, run: stream, isStream: true },
]);

/** What the model was told of the result of a call, in the last prompt. */
export function modelSees({ prompts }: Run, toolCallId: string): unknown {
  const parts = prompts.at(-1)?.flatMap(({ role, content }) => (role === 'tool' ? content : [])) ?? [];
  return parts.find((part) => part.type === 'tool-result' && part.toolCallId === toolCallId)?.output;
}

export function resultOf({ parts }: Run, toolCallId: string): Part | undefined {
  return parts.find(
    (part) =>
      ['tool-result', 'tool-error'].includes(part.type) && part.toolCallId === toolCallId && part.preliminary !== true,
  );
}

/** The host's own error, as the events of the AI SDK carry it. */
export function toolErrorOf(run: Run, toolCallId: string): ToolErrorResult | undefined {
  return (resultOf(run, toolCallId)?.error as { toolError?: ToolErrorResult } | undefined)?.toolError;
}

export function call(id: string, name: string, args: unknown = {}): Turn {
  return { calls: [{ id, name, args }] };
}

export const DONE: Turn = { text: 'done' };

const USER = { role: 'user', content: 'Do it' };
const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

function makeSdk(version: 6 | 7): Sdk {
  const sdk = (version === 6 ? ai6 : ai7) as unknown as {
    generateText(options: object): Promise<Record<string, never>>;
    streamText(options: object): Record<string, never>;
  };
  const stopWhen = version === 6 ? ai6.stepCountIs(10) : ai7.isStepCount(10);
  const settings = ({ turns, messages = [USER], ...options }: RunOptions) => ({
    model: makeModel(version, turns),
    stopWhen,
    messages,
    ...options,
  });
  return {
    version,
    async generate(options) {
      const given = settings(options);
      const result = (await sdk.generateText(given)) as unknown as { steps: { content: Part[] }[] };
      const parts = result.steps.flatMap(({ content }) => content);
      return { parts, ...seenBy(given), messages: [...given.messages, ...responseMessages(result)] };
    },
    async stream(options) {
      const given = settings(options);
      const result = sdk.streamText({ onError: () => {}, ...given }) as unknown as {
        fullStream: AsyncIterable<Part>;
        response: Promise<{ messages: unknown[] }>;
        steps: Promise<unknown[]>;
      };
      const parts: Part[] = [];
      for await (const part of result.fullStream) parts.push(part);
      const response = responseMessages({ steps: await result.steps });
      return { parts, ...seenBy(given), messages: [...given.messages, ...response] };
    },
  };
}

function responseMessages({ steps }: { steps: unknown[] }): unknown[] {
  const last = steps.at(-1) as { response: { messages: unknown[] } } | undefined;
  const all = (steps as { response: { messages: unknown[] } }[]).flatMap(({ response }) => response.messages);
  // Version 6 repeats earlier messages in each step, version 7 gives each step its own.
  const repeats = new Set(all.map((message) => JSON.stringify(message))).size < all.length;
  return repeats ? (last?.response.messages ?? []) : all;
}

function seenBy({ model }: { model: unknown }): Pick<Run, 'prompts' | 'listed'> {
  const { doGenerateCalls, doStreamCalls } = model as MockLanguageModelV3;
  const calls = [...doGenerateCalls, ...doStreamCalls];
  return {
    prompts: calls.map(({ prompt }) => prompt as unknown as Run['prompts'][number]),
    listed: (calls[0]?.tools ?? []) as unknown as Run['listed'],
  };
}

function makeModel(version: 6 | 7, turns: Turn[]): unknown {
  const left = [...turns];
  const next = () => {
    const turn = left.shift() ?? DONE;
    const content =
      'text' in turn
        ? [{ type: 'text', text: turn.text }]
        : turn.calls.map(({ id, name, args }) => ({
            type: 'tool-call',
            toolCallId: id,
            toolName: name,
            input: typeof args === 'string' ? args : JSON.stringify(args),
          }));
    const unified = 'text' in turn ? 'stop' : 'tool-calls';
    return { content, finishReason: { unified, raw: unified }, usage: USAGE };
  };
  const options = {
    doGenerate: async () => ({ ...next(), warnings: [] }),
    doStream: async () => ({ stream: streamOf(next()) }),
  } as never;
  return version === 6 ? new MockLanguageModelV3(options) : new MockLanguageModelV4(options);
}

function streamOf({ content, ...finish }: { content: Record<string, string>[]; finishReason: object; usage: object }) {
  const parts = content.flatMap((part): object[] => {
    if (part.type === 'text') {
      return [
        { type: 'text-start', id: '0' },
        { type: 'text-delta', id: '0', delta: part.text },
        { type: 'text-end', id: '0' },
      ];
    }
    const { toolCallId: id, toolName, input = '' } = part;
    return [
      { type: 'tool-input-start', id, toolName },
      { type: 'tool-input-delta', id, delta: input.slice(0, 1) },
      { type: 'tool-input-delta', id, delta: input.slice(1) },
      { type: 'tool-input-end', id },
      part,
    ];
  });
  return ReadableStream.from([{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', ...finish }]);
}
