/** The public entry: a table of contents. Importing it loads no native module and starts nothing. */

export { createAuditLog } from './host/audit-log.js';
export { createToolHost } from './host/create-tool-host.js';
export type * from './host/types.js';
export type { CallOptions } from './host/types.js';
export type {
  CallContext,
  Explanation,
  PermissionCall,
  Policy,
  PolicyInput,
  PolicyOptions,
  RuleDescription,
} from './permissions/policy.js';
export { evaluatePermission, explainPermission, parsePolicy } from './permissions/policy.js';
export { type ImportedPolicy, importClaudeSettings } from './permissions/policy-files/import-claude-settings.js';
export { PolicyError, RuleSyntaxError } from './permissions/rules/policy-error.js';
export type * from './permissions/rules/rule.js';
export type * from './sandbox/contract.js';
export { createDockerSandbox } from './sandbox/docker/create-docker-sandbox.js';
export type { DockerMount, DockerSandboxOptions, SetupOptions } from './sandbox/docker/index.js';
export * from './sandbox/errors.js';
export { createIsolateSandbox } from './sandbox/isolate/create-isolate-sandbox.js';
export type { IsolateSandboxOptions } from './sandbox/isolate/options.js';
export { DEFAULT_LIMITS, MAX_TIMEOUT_MS, type SandboxLimits } from './sandbox/limits.js';
export type { EnforcementPlan, PathRule } from './sandbox/plan.js';
export { createSandboxPool, type SandboxPool, type SandboxPoolOptions } from './sandbox/pool.js';
export { unifiedDiff } from './sandbox/unified-diff.js';
export type { ContentPart } from './tool/content.js';
export type { MaybePromise, ToolExecutionContext } from './tool/context.js';
export {
  type DefinedTool,
  type DefineToolOptions,
  defineTool,
  type ToolInput,
  type ToolOutput,
} from './tool/define-tool.js';
export type { ToolDescriptor } from './tool/descriptor.js';
export { type ToolErrorOptions, toolErrorResult } from './tool/error-result.js';
export { fromJsonSchema } from './tool/from-json-schema.js';
export { isPropagatingToolError, PropagatingToolError } from './tool/propagating-error.js';
export {
  type NamedTool,
  type RegisterOptions,
  type ToolRecord,
  ToolRegistry,
  type ToolSource,
  type ToolsOption,
} from './tool/registry.js';
export type { ToolErrorKind, ToolErrorResult, ValidationIssue } from './tool/result.js';

export * from './tools/index.js';
