/** Every way out of an evaluation's isolate. Texts are JSON unless said otherwise. */
export interface EvaluateBridge {
  /** Called once. `kind` says what `text` is. */
  settle(kind: SettleKind, text: string): void;
  /** One line of the code's log, as plain text; false when no more is taken. */
  log(line: string): boolean;
  /** Calls a host function; the answer comes through `answer`. False when it may not be called. */
  call(callId: number, name: string, argument: string): boolean;
}

/** `value`: the result. `thrown`: `{ name, message }` of what the code threw. Others: the same, and the code of it. */
export type SettleKind = 'value' | 'thrown' | 'result_invalid' | 'output_limit' | 'invalid_input' | 'session_limit';

export interface EvaluateLimits {
  resultCharacters: number;
  logCharacters: number;
  logLines: number;
  depth: number;
  calls: number;
  unansweredCalls: number;
  messageCharacters: number;
}

export interface EvaluateRequest {
  code: string;
  /** JSON. */
  input: string;
  functions: string[];
  limits: EvaluateLimits;
}

/** What the isolate offers the worker; taken and then removed before the code runs. */
export interface EvaluateGuest {
  run(bridge: EvaluateBridge, request: EvaluateRequest): void;
  answer(callId: number, ok: boolean, text: string): void;
}
