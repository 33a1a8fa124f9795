import { randomUUID } from 'node:crypto';
import type { Backend } from '../permissions/enforcement.js';
import type { Policy } from '../permissions/policy.js';
import type { Decision, PermissionMode } from '../permissions/rules/rule.js';
import type { MessageCleaner } from '../sandbox/message-cleaner.js';
import type { SandboxSource } from '../sandbox/resolve-sandbox.js';
import type { ToolExecutionContext } from '../tool/context.js';
import type { ResolvedTool } from '../tool/descriptor.js';
import type { ToolRegistry } from '../tool/registry.js';
import type { PendingApprovals } from './approvals.js';
import type { Events } from './events.js';
import type { HostSecrets } from './host-secrets.js';
import type { CallOptions, HostHooks, ToolCall, ToolHostOptions } from './types.js';
import type { WorkspaceLinks } from './workspace-links.js';

/** What every call of one host shares. */
export interface HostParts {
  readonly registry: ToolRegistry;
  readonly policy: Policy;
  readonly mode: () => PermissionMode;
  /** Where the calls of sandboxed tools run, as far as rules are concerned. */
  readonly backend: Backend;
  readonly approve: ToolHostOptions['approve'];
  readonly hooks: HostHooks;
  /** Absent when the host was made without one. */
  readonly context: { readonly value: unknown } | undefined;
  readonly sandbox: SandboxSource | undefined;
  /** The directory the host was given, wherever its tools run. */
  readonly workspace: string | undefined;
  /** Links in the workspace, for calls that nothing gates. Absent where no rule or no directory could be meant. */
  readonly links: (() => Promise<WorkspaceLinks>) | undefined;
  readonly events: Events;
  /** What every message of a thrown error goes through. */
  readonly clean: MessageCleaner;
  /** What must stand in no event and no error. */
  readonly secrets: HostSecrets;
  readonly approvals: PendingApprovals;
  /** Aborted once the host was disposed. */
  readonly closed: AbortSignal;
}

/** One call on its way. */
export interface CallState {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly options: CallOptions;
  readonly rawArgs: unknown;
  readonly startedAt: number;
  decision?: Decision;
  /** The approval it waits for, or went on after. */
  approvalId?: string;
}

/** A call whose tool was found and whose arguments were parsed. */
export interface ParsedCall extends CallState {
  readonly tool: ResolvedTool;
  /** Replaced by a hook's input, and by a copy of its own when it waits. */
  args: unknown;
  readonly ctx: ToolExecutionContext;
}

const NO_MESSAGES: readonly unknown[] = Object.freeze([]);

/** Takes a call as it came, whatever it is. */
export function startCall(call: ToolCall, options: CallOptions): CallState {
  const { toolCallId, toolName, args } = (call ?? {}) as Partial<ToolCall>;
  return {
    toolCallId: typeof toolCallId === 'string' && toolCallId !== '' ? toolCallId : `call_${randomUUID()}`,
    toolName: typeof toolName === 'string' ? toolName : String(toolName),
    options,
    rawArgs: args,
    startedAt: performance.now(),
  };
}

/** The second argument of every tool function. */
export function contextOf(parts: HostParts, { toolCallId, toolName, options }: CallState): ToolExecutionContext {
  const { messages, signal, sessionId } = options;
  const context = 'context' in options ? { value: options.context } : parts.context;
  const sandbox = parts.sandbox?.sandbox;
  const ctx: ToolExecutionContext = {
    toolCallId,
    toolName,
    messages: messages === undefined || messages.length === 0 ? NO_MESSAGES : Object.freeze([...messages]),
    ...(signal === undefined ? {} : { abortSignal: signal }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(context === undefined ? {} : { context: context.value }),
  };
  // Not enumerable: a context is logged and compared as plain data.
  return sandbox === undefined ? ctx : Object.defineProperty(ctx, 'sandbox', { value: sandbox });
}

/** The fields that events of a call share. */
export function about({ toolCallId, toolName, options: { sessionId } }: CallState): {
  toolCallId: string;
  toolName: string;
  sessionId?: string;
} {
  return sessionId === undefined ? { toolCallId, toolName } : { toolCallId, toolName, sessionId };
}
