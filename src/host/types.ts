import type {
  Decision,
  DecisionPart,
  PermissionLists,
  PermissionMode,
  PermissionRule,
} from '../permissions/rules/rule.js';
import type {
  Sandbox,
  SandboxAdapter,
  SandboxCapabilities,
  SandboxSession,
  WorkspaceMode,
} from '../sandbox/contract.js';
import type { SandboxPool } from '../sandbox/pool.js';
import type { ContentPart } from '../tool/content.js';
import type { MaybePromise } from '../tool/context.js';
import type { ToolErrorKind, ToolErrorResult } from '../tool/result.js';

export interface ToolCall {
  toolCallId?: string;
  toolName: string;
  /** A value, or JSON text (an empty string is `{}`). */
  args: unknown;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** The transcript before the call, passed to the tool as a read-only copy. */
  messages?: readonly unknown[];
  sessionId?: string;
  /** Given to the tool as `ctx.context` in place of the host's own, by reference. */
  context?: unknown;
  /**
   * Stands in for the host's `approve` in this call, so that nobody is asked twice. `'approved'`: something outside has
   * asked, about exactly these arguments. A deny still holds.
   */
  approve?: 'approved' | ((request: ApprovalRequest) => MaybePromise<ApprovalDecision>);
  /** Runs `requiresSandbox` tools of a host that has no sandbox of its own. */
  sandbox?: Sandbox | SandboxAdapter;
  /** Complete snapshots yielded by a streaming tool, `index` from 0. */
  onPartial?: (partial: { toolCallId: string; toolName: string; index: number; output: unknown }) => void;
}

export interface ReviewOptions extends CallOptions {
  /**
   * Default false. For whoever then does not make a call that is denied: events tell of it as of one that the host
   * refused, so that the audit log holds the decision.
   */
  recordDenial?: boolean;
}

/** A person's no to a call, given to something outside of the host that had asked. */
export interface OutsideRejection {
  /** Of the request that was answered. */
  approvalId: string;
  note?: string;
}

interface OutcomeBase {
  toolCallId: string;
  toolName: string;
  durationMs: number;
  decision?: Decision;
}

/** What the host answers. Failures are results; only a `PropagatingToolError` is thrown. */
export type ToolOutcome =
  | (OutcomeBase & { status: 'ok'; isError: false; output: unknown; content?: ContentPart[] })
  | (OutcomeBase & { status: 'error'; isError: true; error: ToolErrorResult; content?: ContentPart[] })
  | (OutcomeBase & { status: 'awaiting-approval'; isError: false; approval: ApprovalRequest });

/** A serialisable record of a call that waits for a person. */
export interface ApprovalRequest {
  id: string;
  toolCallId: string;
  toolName: string;
  displayName: string;
  /** The parsed arguments, pinned: what runs is this. */
  args: unknown;
  /** Why it asks: the rule's text and reason, or the tool's own `needsApproval`. */
  reason?: string;
  rule?: string;
  /** What in the call the rule met. */
  part?: DecisionPart;
  /**
   * Rules by which calls like this one would be allowed for the rest of the session, one for each command; empty where
   * no narrow rule exists. An answer may pick from them with `always`.
   */
  proposals: string[];
  createdAt: string;
  /** After this the call is rejected by itself, with the code `permission_ask_timeout`; a later answer counts for nothing. */
  expiresAt: string;
}

export interface ApprovalDecision {
  decision: 'approve' | 'reject' | 'defer';
  note?: string;
  /** With `approve`: those of the proposals that shall hold for the rest of the session. Another rule is a `TypeError`. */
  always?: string[];
}

/** Refuses the call, answers it, or replaces its raw input. */
export type PreHookResult = undefined | { deny: string } | { result: unknown } | { input: unknown };

export interface HostHooks {
  /** After the arguments were parsed, before permission rules. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement is of this type
  preCall?: (call: HookCall) => MaybePromise<PreHookResult | void>;
  /** After the output was checked; may replace it. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement is of this type
  postCall?: (call: HookCall & { outcome: ToolOutcome }) => MaybePromise<{ result: unknown } | undefined | void>;
}

export interface HookCall {
  toolCallId: string;
  toolName: string;
  args: unknown;
  sessionId?: string;
}

export interface ToolHostOptions {
  /** Absent: calls of `requiresSandbox` tools answer kind `sandbox`; nothing ever falls back to the host. */
  sandbox?: SandboxSession | Sandbox | SandboxAdapter | SandboxPool | 'isolate' | 'docker' | 'auto';
  /**
   * The directory the agent works on, for the named backends; also where a project's policy file is looked for. It
   * starts no sandbox by itself: without `sandbox`, tools that need one answer kind `sandbox`.
   */
  workspace?: string;
  /** Default `direct` with a `workspace`, `memory` without one. */
  workspaceMode?: WorkspaceMode;
  tools?: import('../tool/registry.js').ToolsOption;
  permissions?: readonly PermissionRule[] | PermissionLists | string;
  permissionMode?: PermissionMode | (() => PermissionMode);
  /**
   * Default true: the policy files of the machine, the person and the workspace (`caisson.policy.json`) hold beside
   * `permissions`. `false` leaves out the person's and the workspace's.
   */
  policyFiles?: boolean;
  /**
   * Default false: of a policy file inside the workspace only what makes things stricter counts: its `deny` and `ask`
   * rules, and a default stricter than that of the others.
   */
  trustProject?: boolean;
  /**
   * Default false. Refuse to start a sandbox while a file that a rule keeps from being read also stands under a name
   * that no rule denies: a hard link, what it is a symbolic link to, or a copy that git keeps. With a sandbox that you made it needs `workspace`.
   */
  strictSecrets?: boolean;
  /** How long a call waits for a person, milliseconds. Default 24 h. */
  approvalTtlMs?: number;
  /** Default true: configuration that would run code later (`.git/hooks`, `.npmrc`, …) is protected as by a deny on `write_file`. */
  protectedPaths?: boolean;
  approve?: (request: ApprovalRequest) => MaybePromise<ApprovalDecision>;
  hooks?: HostHooks;
  /** Calls of one `callMany` that run at once. Default `unbounded`. */
  toolConcurrency?: number | 'unbounded';
  /** Given to every tool as `ctx.context`, by reference. */
  context?: unknown;
  onEvent?: (event: HostEvent) => void;
}

/** One tool as listed to a model. */
export interface ToolListing {
  name: string;
  displayName: string;
  description: string;
  /** JSON Schema, draft-07 keywords, `type: 'object'`. */
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
  annotations?: Record<string, unknown>;
}

interface EventBase {
  /** ISO 8601, UTC. */
  time: string;
  sessionId?: string;
}

interface CallEventBase extends EventBase {
  toolCallId: string;
  toolName: string;
}

/** Every station of a call, as it is passed. */
export type HostEvent =
  | (CallEventBase & { type: 'input.started' })
  | (CallEventBase & { type: 'input.delta'; text: string })
  | (CallEventBase & { type: 'call.started' })
  | (CallEventBase & { type: 'call.parsed'; args: unknown })
  | (CallEventBase & { type: 'decision'; decision: Decision; mode: PermissionMode; approvalId?: string })
  | (CallEventBase & { type: 'approval.requested'; approval: ApprovalRequest })
  | (CallEventBase & {
      type: 'approval.decided';
      approvalId: string;
      decision: 'approve' | 'reject' | 'defer';
      note?: string;
      /** Allow rules that the answer keeps for the session. */
      always?: string[];
    })
  | (CallEventBase & { type: 'run.started'; where: 'sandbox' | 'host' })
  | (CallEventBase & { type: 'tool.partial'; index: number; output: unknown })
  | (CallEventBase & {
      type: 'call.finished';
      status: ToolOutcome['status'];
      isError: boolean;
      kind?: ToolErrorKind;
      code?: string;
      durationMs: number;
      /** What the tool or a hook threw, as it was, with its stack: for people who debug, never for the model. */
      cause?: unknown;
    })
  | (EventBase & {
      type: 'sandbox.started';
      sandbox: { name: string; id: string };
      isolation: SandboxCapabilities['isolation'];
      network: SandboxCapabilities['network'];
      workspaceMode: WorkspaceMode;
      /** What a container is made of. */
      image?: string;
      /** How calls reach a container: `agent`, or `exec` for an image in which no agent can run. */
      transport?: SandboxCapabilities['transport'];
      /** Backends that `auto` did not take, and why. */
      passedOver?: { name: string; reason: string }[];
      /** Path rules that this sandbox cannot hold by itself: only calls and commands that name the path are refused. */
      unenforced?: string[];
    })
  /** Made anew, so that its rules hold for what came into the workspace since: files outside of it are lost. */
  | (EventBase & { type: 'sandbox.renewed'; sandbox: { name: string; id: string }; reason: string })
  /**
   * A path that a rule keeps from being written, or a link above one, was made or replaced, by a command or by somebody
   * on the host: look at it.
   */
  | (EventBase & { type: 'sandbox.written'; sandbox: { name: string; id: string }; path: string; rule: string })
  | (EventBase & { type: 'sandbox.lost'; sandbox: { name: string; id: string }; reason: string });

/** A call whose arguments a model is still writing. */
export interface InputCall {
  toolCallId: string;
  toolName: string;
}

/** Arguments on their way, for whoever shows them as they come. Nothing is parsed, decided or run. Never rejects. */
export interface HostInput {
  /** The model began to write a call. `delta` does it by itself. */
  start(call: InputCall, options?: CallOptions): Promise<void>;
  /** The model wrote a piece of the call's JSON text. The call that follows under the same id waits for what was told. */
  delta(call: InputCall & { text: string }, options?: CallOptions): Promise<void>;
}

export interface ToolHost extends AsyncDisposable {
  /** Events `input.started` and `input.delta`, and an imported tool's own `onInputStart` and `onInputDelta`. */
  readonly input: HostInput;
  call(call: ToolCall, options?: CallOptions): Promise<ToolOutcome>;
  /**
   * What rules, the tool's own `needsApproval` and the mode say of a call, which does not run: no hook sees it, nobody
   * is asked, no event is emitted unless `recordDenial` says so. `undefined` when there is nothing to decide: no such
   * tool, or invalid arguments.
   */
  review(call: ToolCall, options?: ReviewOptions): Promise<Decision | undefined>;
  /** In call order; calls run at once up to `toolConcurrency`, each starting only after those before it passed their gates. */
  callMany(calls: readonly ToolCall[], options?: CallOptions): Promise<ToolOutcome[]>;
  /** Tools a model may see: those wholly denied by name are left out. */
  tools(): ToolListing[];
  readonly approvals: {
    list(): ApprovalRequest[];
    /**
     * Decides a deferred call, once.
     * @throws TypeError for a wrong word, which decides nothing; Error when the id is unknown, was decided before, or has
     * expired (then with the `code` `permission_ask_timeout`). Once the host was disposed, an approved call answers kind
     * `sandbox` with the code `sandbox_disposed` and does not run.
     */
    resolve(
      id: string,
      decision: { decision: 'approve' | 'reject'; note?: string; always?: string[] },
    ): Promise<ToolOutcome>;
    /**
     * Emits the events of a call that a person rejected outside of the host, and that is therefore never made. Nothing
     * runs, no hook sees it; a call that no tool would take is passed over.
     */
    recordRejection(call: ToolCall, answer: OutsideRejection, options?: CallOptions): Promise<void>;
  };
  readonly registry: import('../tool/registry.js').ToolRegistry;
  /** The sandbox tools get; `undefined` when none is configured. */
  readonly sandbox: Sandbox | undefined;
  readonly permissions: import('../permissions/policy.js').Policy;
  /**
   * What the sandbox's workspace holds beside its origin: `changes()`, `commit()`, `discard()` as a session has them.
   * @throws SandboxError `unsupported` where nothing is kept apart
   */
  readonly workspace: import('./workspace-changes.js').WorkspaceChanges;
  /** Starts the sandbox now. @throws SandboxError with the reason */
  ready(): Promise<void>;
  /** Ends what the host itself created; never a session that was handed in. Idempotent. */
  dispose(): Promise<void>;
}
