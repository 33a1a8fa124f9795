/** The llm-agent entry: a table of contents. Importing it does not load `@hoangvvo/llm-agent`. */

export { type FromLlmAgentToolOptions, fromLlmAgentTool } from './from-llm-agent-tool.js';
export { fromLlmToolkit, type ImportedToolkit } from './from-llm-toolkit.js';
export { type ToLlmAgentToolsOptions, toLlmAgentTools } from './to-llm-agent-tools.js';
export { type LlmToolkitHost, type ToLlmToolkitOptions, toLlmToolkit } from './to-llm-toolkit.js';
export type {
  AnyLlmAgentTool,
  AnyLlmToolkit,
  LlmAgentTool,
  LlmPart,
  LlmRunState,
  LlmToolkit,
  LlmToolkitSession,
  LlmToolResult,
} from './types.js';
