import { either, func, oneOf } from '../../checks/kinds.js';
import { checkOptions, shapeOf } from '../../checks/options.js';
import type { ApprovalDecision, ApprovalRequest, ToolHost } from '../../host/types.js';
import type { MaybePromise } from '../../tool/context.js';
import { exportTool } from './export-tool.js';
import { SdkVersion } from './sdk-version.js';
import { type AiSdkToolNames, keyed, keyedDenied, toolNames } from './tool-keys.js';
import type { AiSdkToolSet } from './types.js';

export interface ToAiSdkToolsOptions {
  /** What a failed call is for the AI SDK: a `tool-error` (`throw`, the default), or a result that the model sees as an error (`value`). */
  errors?: 'throw' | 'value';
  /**
   * Who is asked about a call that needs approval. Absent: the AI SDK, which stops with an approval request; a call it
   * did not ask about is rejected. `'host'`: the host's own `approve`, while the call waits. A function: that one.
   */
  approve?: 'host' | ((request: ApprovalRequest) => MaybePromise<ApprovalDecision>);
  /** Told of a `PropagatingToolError`, which the AI SDK cannot let through: abort the run with it here. */
  onPropagate?: (error: Error) => void;
  /**
   * Tools that have another name in the AI SDK than in the host, as `{ [name in the host]: name there }`. Rename them
   * here and not in the set: an approval in the transcript counts for the tool of this name and for no other.
   */
  names?: AiSdkToolNames;
  /** The major version of `ai`. Default: told from its calls. It decides how files in results are named. */
  version?: 6 | 7;
}

const OPTIONS = shapeOf<ToAiSdkToolsOptions>({
  errors: oneOf(['throw', 'value']),
  approve: either(oneOf(['host']), func),
  onPropagate: func,
  names: toolNames,
  version: { test: (value) => value === 6 || value === 7, words: '6 or 7' },
});

/**
 * The host's tools as tools of the AI SDK, 6 or 7. Every call goes through the host: its parsing, hooks, rules and
 * sandbox. Schemas are listed as they were declared; nothing is added to them. The set is of this moment: make a new
 * one when tools change. A tool whose every call is denied is not enumerable in it: no model is told of it, and a call
 * that was approved before the deny came is answered with the denial. Spreading the set loses those.
 *
 * @throws TypeError for an unknown option, and for two tools of one name
 * @example
 * const result = await generateText({
 *   model,
 *   tools: toAiSdkTools(host),
 *   toolApproval: toAiSdkToolApproval(host), // AI SDK 7
 *   prompt: 'Run the tests',
 * });
 */
export function toAiSdkTools(host: ToolHost, options: ToAiSdkToolsOptions = {}): AiSdkToolSet {
  checkOptions('toAiSdkTools', options, OPTIONS);
  const tools: AiSdkToolSet = Object.create(null);
  const version = new SdkVersion(options.version);
  for (const [key, listing] of keyed(host.tools(), options.names))
    tools[key] = exportTool(host, { key, listing }, { ...options, version });
  // The AI SDK tells a model of the enumerable ones, and finds the others when it goes on with a call of them.
  for (const [key, listing] of keyedDenied(host, options.names))
    Object.defineProperty(tools, key, { value: exportTool(host, { key, listing }, { ...options, version }) });
  return tools;
}
