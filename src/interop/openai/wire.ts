/** The parts of OpenAI's message formats that are read and written here; `test/types` holds them to the real SDK. */

/** What `runOpenAiToolCalls` reads of an assistant message of the Chat Completions API. */
export interface OpenAiChatMessage {
  role: 'assistant';
  tool_calls?: readonly object[] | null | undefined;
}

/** What it reads of a response, or of the items of its `output`. */
export interface OpenAiResponse {
  output: readonly object[];
}

/** A `tool` message of the Chat Completions API. */
export interface OpenAiToolMessage {
  role: 'tool';
  tool_call_id: string;
  content: string;
}

/** An item that answers a call of the Responses API. */
export type OpenAiOutputItem =
  | OpenAiFunctionOutput
  | OpenAiCustomToolOutput
  | OpenAiShellOutput
  | OpenAiLocalShellOutput
  | OpenAiApplyPatchOutput;

/** Whoever made the call, where it was not the model itself; echoed. */
export interface OpenAiProgramCaller {
  type: 'program';
  caller_id: string;
}

export interface OpenAiFunctionOutput {
  type: 'function_call_output';
  call_id: string;
  output: string | OpenAiContentPart[];
  caller?: OpenAiProgramCaller;
}

export type OpenAiContentPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string; detail: 'auto' }
  | { type: 'input_file'; filename: string; file_data: string };

export interface OpenAiCustomToolOutput {
  type: 'custom_tool_call_output';
  call_id: string;
  output: string;
}

export interface OpenAiShellOutput {
  type: 'shell_call_output';
  call_id: string;
  output: OpenAiCommandOutput[];
  status: 'completed';
  max_output_length?: number;
  caller?: OpenAiProgramCaller;
}

/** What became of one command. */
export interface OpenAiCommandOutput {
  stdout: string;
  stderr: string;
  outcome: { type: 'exit'; exit_code: number } | { type: 'timeout' };
}

export interface OpenAiLocalShellOutput {
  type: 'local_shell_call_output';
  /** The `call_id` of the call. */
  id: string;
  /** JSON: `{ stdout, stderr, exit_code }`, `{ …, timed_out: true }`, or an error. */
  output: string;
  status: 'completed' | 'incomplete';
}

export interface OpenAiApplyPatchOutput {
  type: 'apply_patch_call_output';
  call_id: string;
  status: 'completed' | 'failed';
  output: string;
  caller?: OpenAiProgramCaller;
}
