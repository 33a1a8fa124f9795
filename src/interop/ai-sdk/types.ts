/**
 * The AI SDK's types, restated as far as they are needed, so that `ai` need not be installed. They are checked against
 * the real ones of versions 6 and 7.
 */

/** What `execute` gets: `context` and the sandbox since 7, `experimental_context` in 6. */
export interface AiSdkExecutionOptions {
  toolCallId: string;
  messages: readonly unknown[];
  abortSignal?: AbortSignal | undefined;
  context?: unknown;
  experimental_context?: unknown;
  experimental_sandbox?: unknown;
}

export type AiSdkApprovalOptions = Omit<AiSdkExecutionOptions, 'abortSignal' | 'experimental_sandbox'>;

export type AiSdkJson = null | string | number | boolean | AiSdkJson[] | { [key: string]: AiSdkJson | undefined };

/** What a model is given for a result. */
export type AiSdkModelOutput =
  | { type: 'text'; value: string }
  | { type: 'json'; value: AiSdkJson }
  | { type: 'error-text'; value: string }
  | { type: 'error-json'; value: AiSdkJson }
  | { type: 'execution-denied'; reason?: string }
  | { type: 'content'; value: AiSdkContentPart[] };

/** The forms that both versions have a type for; version 7 is given its newer `file` in their place. */
export type AiSdkContentPart =
  | { type: 'text'; text: string }
  | { type: 'file-data'; data: string; mediaType: string; filename?: string }
  | { type: 'image-data'; data: string; mediaType: string };

/** A schema as a Standard Schema, which the AI SDK takes from any library. */
export interface AiSdkSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    // biome-ignore lint/suspicious/noExplicitAny: the AI SDK infers nothing from a schema of unknown type
    validate(value: unknown): { readonly value: any; readonly issues?: undefined };
    readonly jsonSchema: {
      input(options?: object): Record<string, unknown>;
      output(options?: object): Record<string, unknown>;
    };
  };
}

/** A tool of the AI SDK as this package makes them. */
export interface AiSdkTool {
  description: string;
  title: string;
  inputSchema: AiSdkSchema;
  outputSchema?: AiSdkSchema;
  metadata: { [key: string]: AiSdkJson | undefined };
  strict?: boolean;
  inputExamples?: { input: unknown }[];
  providerOptions?: Record<string, { [key: string]: AiSdkJson | undefined }>;
  needsApproval?(input: unknown, options: AiSdkApprovalOptions): Promise<boolean>;
  execute(input: unknown, options: AiSdkExecutionOptions): Promise<unknown> | AsyncIterable<unknown>;
  toModelOutput(options: {
    toolCallId: string;
    input: unknown;
    output: unknown;
  }): AiSdkModelOutput | PromiseLike<AiSdkModelOutput>;
}

/** Tools by name, as `generateText` and `streamText` take them. The object has no prototype. */
export type AiSdkToolSet = Record<string, AiSdkTool>;

/** Any tool of the AI SDK, whichever way it was made. */
export interface AnyAiSdkTool {
  readonly type?: string | undefined;
  readonly id?: string | undefined;
  readonly isProviderExecuted?: boolean | undefined;
  readonly description?: string | undefined | ((options: never) => string);
  readonly title?: string | undefined;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly contextSchema?: unknown;
  readonly needsApproval?: boolean | undefined | ((input: never, options: never) => unknown);
  readonly execute?: ((input: never, options: never) => unknown) | undefined;
  readonly toModelOutput?: ((options: never) => unknown) | undefined;
  readonly onInputStart?: ((options: never) => unknown) | undefined;
  readonly onInputDelta?: ((options: never) => unknown) | undefined;
  readonly onInputAvailable?: ((options: never) => unknown) | undefined;
  readonly metadata?: unknown;
}

/** What the AI SDK 7 does with a call before it runs. */
export type AiSdkApprovalStatus = 'not-applicable' | 'user-approval' | { type: 'denied'; reason: string };

/** The `toolApproval` option of `generateText` and `streamText` (AI SDK 7), by tool name. */
export type AiSdkToolApproval = Record<
  string,
  (input: unknown, options: AiSdkToolApprovalOptions) => Promise<AiSdkApprovalStatus>
>;

export interface AiSdkToolApprovalOptions {
  toolCallId: string;
  messages: readonly unknown[];
  toolContext?: unknown;
  runtimeContext?: unknown;
}
