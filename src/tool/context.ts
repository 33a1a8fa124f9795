import type { Sandbox } from '../sandbox/contract.js';

/** What every `execute`, `sandboxExecute` and `needsApproval` gets beside its arguments, on every path that runs a tool. */
export interface ToolExecutionContext<Context = unknown> {
  /** The caller's id for this call, never renamed by the host; generated when the caller gave none. */
  readonly toolCallId: string;
  /** Always set by the host; optional in the type so that the AI SDK's execution options are assignable to it. */
  readonly toolName?: string;
  /** Read-only copy of the transcript before the call; empty when there is none. */
  readonly messages: readonly unknown[];
  /** Present when the run has one. */
  readonly abortSignal?: AbortSignal;
  readonly sessionId?: string;
  /** `createToolHost({ context })`, or the call's own, by reference. */
  readonly context?: Context;
  /** The host's sandbox, where it has one; it starts with its first use. A tool that must run there uses `sandboxExecute`. */
  readonly sandbox?: Sandbox;
}

export type MaybePromise<T> = T | PromiseLike<T>;
