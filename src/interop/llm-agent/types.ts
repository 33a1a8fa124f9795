/**
 * The types of `@hoangvvo/llm-agent`, restated as far as they are needed, so that it need not be installed. They fit
 * the published 0.3 and the newer form of its repository.
 */

/** A tool of llm-agent. `type` is there since the form after 0.3, which has other kinds of tools as well. */
export interface LlmAgentTool<Context = unknown> {
  type?: 'function';
  name: string;
  description: string;
  /** JSON Schema whose `type` is `object`. */
  parameters: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: llm-agent types a tool's arguments so
  execute(args: any, ctx: Context, state: LlmRunState): LlmToolResult | Promise<LlmToolResult>;
}

export interface LlmToolResult {
  content: LlmPart[];
  is_error: boolean;
}

/** The parts that a tool result may hold. */
export type LlmPart =
  | { type: 'text'; text: string; citations?: LlmCitation[] }
  | { type: 'image'; mime_type: string; data: string; width?: number; height?: number; id?: string }
  | {
      type: 'audio';
      data: string;
      format: LlmAudioFormat;
      sample_rate?: number;
      channels?: number;
      transcript?: string;
      id?: string;
    }
  | { type: 'source'; source: string; title: string; content: LlmPart[] };

export interface LlmCitation {
  source: string;
  title?: string;
  cited_text?: string;
  start_index: number;
  end_index: number;
}

export type LlmAudioFormat = 'wav' | 'mp3' | 'linear16' | 'flac' | 'mulaw' | 'alaw' | 'aac' | 'opus';

/** What a tool may ask of the run it is called in. */
export interface LlmRunState {
  currentTurn: number;
  getItems(): object[];
  getTurnMessages(): object[];
  /** Since the form after 0.3. */
  readonly signal?: AbortSignal;
}

/** Makes a session of tools for each run session of an agent. */
export interface LlmToolkit<Context = unknown> {
  createSession(context: Context): Promise<LlmToolkitSession<Context>>;
}

export interface LlmToolkitSession<Context = unknown> {
  getSystemPrompt(): string | undefined;
  getTools(): LlmAgentTool<Context>[];
  close(): Promise<void>;
}

/** Any tool an agent may have, whichever way it was made. */
export interface AnyLlmAgentTool {
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly parameters?: unknown;
  readonly execute?: ((args: never, ctx: never, state: never) => unknown) | undefined;
}

/** Any toolkit, whichever context it takes. */
export interface AnyLlmToolkit<Context = unknown> {
  createSession(context: Context): Promise<{
    getSystemPrompt(): string | undefined;
    getTools(): readonly AnyLlmAgentTool[];
    close(): Promise<void>;
  }>;
}
