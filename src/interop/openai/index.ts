/** The OpenAI entry: a table of contents. Needs no SDK of the provider, at run time or for its types. */

export {
  type OpenAiChatRun,
  type OpenAiPendingCall,
  type OpenAiResponsesRun,
  type OpenAiRunOptions,
  runOpenAiToolCalls,
} from './run-openai-tool-calls.js';
export { explainOpenAiStrict, type OpenAiStrictness } from './strict.js';
export {
  type OpenAiChatTool,
  type OpenAiCodingTool,
  type OpenAiResponsesTool,
  type OpenAiToolsOptions,
  toOpenAiTools,
} from './to-openai-tools.js';
export type * from './wire.js';
