import type { Policy } from '../permissions/policy.js';
import type { Decision } from '../permissions/rules/rule.js';
import type { Sandbox } from '../sandbox/contract.js';
import { SandboxNotConfiguredError } from '../sandbox/errors.js';
import { createMessageCleaner } from '../sandbox/message-cleaner.js';
import { resolveSandbox, type SandboxSource } from '../sandbox/resolve-sandbox.js';
import type { DescriptionOptions } from '../tool/descriptor.js';
import { ToolRegistry } from '../tool/registry.js';
import { PendingApprovals } from './approvals.js';
import { runBatch } from './batch.js';
import { checkCallOptions, checkCalls, checkDecision, checkRejection, checkReviewOptions } from './call-arguments.js';
import { expireCall, passGates, resumeCall } from './call-pipeline.js';
import type { HostParts } from './call-state.js';
import { Events } from './events.js';
import { checkHostOptions, readConcurrency, readMode, workspacePath } from './host-options.js';
import { HostSecrets } from './host-secrets.js';
import { backendOf, loadPermissions } from './load-permissions.js';
import { recordRejection, reviewCall } from './review-call.js';
import { StreamedInputs } from './streamed-input.js';
import { withStrictSecrets } from './strict-secrets.js';
import { checkDescriptions, listTools } from './tool-listing.js';
import type {
  CallOptions,
  ReviewOptions,
  ToolCall,
  ToolHost,
  ToolHostOptions,
  ToolListing,
  ToolOutcome,
} from './types.js';
import { createWorkspaceChanges } from './workspace-changes.js';
import { createLinkReader } from './workspace-links.js';

/**
 * Makes the one place that tool calls pass through. Nothing is started: a sandbox starts with the first call that
 * needs it, or with `ready()`.
 *
 * @throws TypeError for an unknown option or a value that cannot be; for a tool that cannot be registered, or whose
 * description function fails
 * @throws PolicyError for permissions that are not understood, or a policy file that cannot be read
 * @example
 * await using host = createToolHost({ sandbox: 'isolate', workspace: '.', tools: codingTools() });
 * const outcome = await host.call({ toolName: 'shell', args: { command: 'ls' } });
 */
export function createToolHost(options: ToolHostOptions = {}): ToolHost {
  checkHostOptions(options);
  return new Host(options);
}

class Host implements ToolHost {
  readonly registry = new ToolRegistry();
  readonly permissions: Policy;
  readonly approvals: ToolHost['approvals'];
  readonly input: StreamedInputs;
  readonly workspace = createWorkspaceChanges(() => this.#start());
  readonly #parts: HostParts;
  readonly #source: SandboxSource | undefined;
  readonly #concurrency: number;
  readonly #closing = new AbortController();

  constructor(options: ToolHostOptions) {
    const secrets = new HostSecrets();
    const events = new Events(options.onEvent, secrets);
    const pending = new PendingApprovals((expired) => expireCall(this.#parts, expired), options.approvalTtlMs);
    const workspace = workspacePath(options);
    this.#concurrency = readConcurrency(options.toolConcurrency);
    this.registry.registerMany(options.tools);
    const backend = backendOf(options, workspace);
    this.permissions = loadPermissions(options, { workspace, backend, tools: this.registry.list() });
    this.#source =
      options.sandbox === undefined
        ? undefined
        : this.#openSource(options.sandbox, { options, workspace, events, secrets });
    this.#parts = {
      registry: this.registry,
      policy: this.permissions,
      mode: readMode(options.permissionMode),
      backend,
      approve: options.approve,
      hooks: options.hooks ?? {},
      context: 'context' in options ? { value: options.context } : undefined,
      sandbox: this.#source,
      workspace,
      links: linkReader(this.permissions, workspace),
      events,
      clean: createMessageCleaner(workspace),
      secrets,
      approvals: pending,
      closed: this.#closing.signal,
    };
    checkDescriptions(this.registry, this.#told);
    this.input = new StreamedInputs(this.#parts);
    this.approvals = {
      list: () => pending.list(),
      resolve: async (id, decision) => {
        checkDecision(id, decision, pending.get(id)?.request);
        return resumeCall(this.#parts, pending.take(id), decision);
      },
      recordRejection: async (call, answer, options = {}) => {
        checkRejection(answer, options);
        return recordRejection(this.#parts, call, { answer, options });
      },
    };
  }

  #openSource(
    sandbox: NonNullable<ToolHostOptions['sandbox']>,
    {
      options,
      workspace,
      events,
      secrets,
    }: { options: ToolHostOptions; workspace: string | undefined; events: Events; secrets: HostSecrets },
  ): SandboxSource {
    const plan = this.permissions.plan();
    secrets.watch(sandbox);
    const source = resolveSandbox(sandbox, {
      plan,
      ...(workspace === undefined ? {} : { workspace }),
      ...(options.workspaceMode === undefined ? {} : { workspaceMode: options.workspaceMode }),
      onOpened: (opened) => secrets.watch(opened),
      onStarted: (started) => events.emit(() => ({ type: 'sandbox.started', ...started })),
      onNotice: (notice, at) =>
        events.emit(() =>
          notice.type === 'renewed'
            ? { ...notice, type: 'sandbox.renewed', sandbox: at }
            : { ...notice, type: 'sandbox.written', sandbox: at },
        ),
      onLost: (lost) => events.emit(() => ({ type: 'sandbox.lost', ...lost })),
    });
    return options.strictSecrets === true && workspace !== undefined
      ? withStrictSecrets(source, { workspace, plan })
      : source;
  }

  /** What descriptions that are functions are told. */
  get #told(): DescriptionOptions {
    return { context: this.#parts.context?.value, sandbox: this.sandbox };
  }

  get sandbox(): Sandbox | undefined {
    return this.#source?.sandbox;
  }

  async call(call: ToolCall, options: CallOptions = {}): Promise<ToolOutcome> {
    checkCallOptions('call', options);
    const heard = this.input.settle(call?.toolCallId);
    if (heard !== undefined) await heard;
    const gate = await passGates(this.#parts, call, options);
    return gate.passed ? gate.run() : gate.outcome;
  }

  async review(call: ToolCall, options: ReviewOptions = {}): Promise<Decision | undefined> {
    checkReviewOptions(options);
    return reviewCall(this.#parts, call, options);
  }

  async callMany(calls: readonly ToolCall[], options: CallOptions = {}): Promise<ToolOutcome[]> {
    checkCalls(calls);
    checkCallOptions('callMany', options);
    const heard = calls.map((call) => this.input.settle(call?.toolCallId)).filter((one) => one !== undefined);
    if (heard.length > 0) await Promise.all(heard);
    return runBatch(this.#parts, calls, { concurrency: this.#concurrency, options });
  }

  tools(): ToolListing[] {
    return listTools({ registry: this.registry, policy: this.permissions }, this.#told);
  }

  async ready(): Promise<void> {
    await this.#start();
  }

  async dispose(): Promise<void> {
    this.#closing.abort();
    await this.#source?.dispose();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  async #start(): Promise<Sandbox> {
    if (this.#source !== undefined) return await this.#source.start();
    throw new SandboxNotConfiguredError(
      "This host has no sandbox to start: give createToolHost a 'sandbox', for example 'isolate'",
    );
  }
}

/** Only rules that somebody wrote are worth a look through the workspace. */
function linkReader(policy: Policy, workspace: string | undefined): HostParts['links'] {
  const hasPaths = policy.rules.some(({ effect, path }) => effect !== 'allow' && path !== undefined);
  return workspace === undefined || !hasPaths ? undefined : createLinkReader(workspace, policy.plan());
}
