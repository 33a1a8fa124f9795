/** The Anthropic entry: a table of contents. Needs no SDK of the provider, at run time or for its types. */

export {
  type AnthropicPendingCall,
  type AnthropicRun,
  type AnthropicRunOptions,
  runAnthropicToolUses,
} from './run-anthropic-tool-uses.js';
export { type AnthropicStrictness, explainAnthropicStrict } from './strict.js';
export {
  type AnthropicCodingTool,
  type AnthropicTool,
  type AnthropicToolsOptions,
  toAnthropicTools,
} from './to-anthropic-tools.js';
export type * from './wire.js';
