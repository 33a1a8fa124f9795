/** The AI SDK entry: a table of contents. Importing it does not load `ai`. */

export { fromAiSdkSandbox } from './from-ai-sdk-sandbox.js';
export { type FromAiSdkToolOptions, fromAiSdkTool, fromAiSdkTools, loadAiSdkTools } from './from-ai-sdk-tool.js';
export {
  createHarnessSandboxProvider,
  type HarnessSandboxProviderOptions,
} from './harness/create-harness-sandbox-provider.js';
export type {
  HarnessPort,
  HarnessSandboxProvider,
  HarnessSandboxSession,
  HarnessSessionOptions,
} from './harness/types.js';
export { HostToolError } from './host-tool-error.js';
export { type RecordAiSdkRejectionsOptions, recordAiSdkRejections } from './record-ai-sdk-rejections.js';
export type { AiSdkSandboxSession, AnyAiSdkSandboxSession, BashToolSandbox } from './sandbox-types.js';
export {
  type AiSdkRepairToolCall,
  type AiSdkToolCall,
  type ToAiSdkRepairToolCallOptions,
  toAiSdkRepairToolCall,
} from './to-ai-sdk-repair-tool-call.js';
export { type ToAiSdkSandboxOptions, toAiSdkSandbox } from './to-ai-sdk-sandbox.js';
export { type ToAiSdkToolApprovalOptions, toAiSdkToolApproval } from './to-ai-sdk-tool-approval.js';
export { type ToAiSdkToolsOptions, toAiSdkTools } from './to-ai-sdk-tools.js';
export type { AiSdkToolNames } from './tool-keys.js';
export type { AiSdkTool, AiSdkToolApproval, AiSdkToolSet, AnyAiSdkTool } from './types.js';
