import type {
  CallToolRequestParams,
  CallToolResult,
  ClientCapabilities,
  ElicitResult,
  InputRequiredResult,
  ServerContext,
} from '@modelcontextprotocol/server';
import type { ApprovalRequest, ToolHost, ToolOutcome } from '../../../host/types.js';
import { toolErrorResult } from '../../../tool/error-result.js';
import { isPropagatingToolError } from '../../../tool/propagating-error.js';
import { approvalQuestion } from './approval-question.js';
import { errorResult, successResult } from './call-result.js';
import { fingerprint } from './fingerprint.js';
import { OpenCall } from './open-call.js';
import type { ServeMcpSettings } from './options.js';
import { createStateSeal, type SealedQuestion, type StateSeal } from './sealed-question.js';
import type { ServerSdk } from './server-sdk.js';

/** Who calls, as far as it matters here. */
export interface Caller {
  /** `modern` clients are asked by an answer to their request, `legacy` ones by a request of the server's. */
  era: 'legacy' | 'modern';
  capabilities(ctx: ServerContext): ClientCapabilities | undefined;
  /** A result as this client can take it. */
  project(result: CallToolResult, outputSchema: Record<string, unknown> | undefined): CallToolResult;
}

type CallAnswer = CallToolResult | InputRequiredResult;
type Waiting = Extract<ToolOutcome, { status: 'awaiting-approval' }>;

/** A call that waits for a modern client to come back with the answer. */
interface OpenQuestion {
  call: OpenCall;
  approval: ApprovalRequest;
  sealed: SealedQuestion;
  expiry: NodeJS.Timeout;
}

const ANSWER = 'approval';
const MAX_NOTE_CHARACTERS = 1_000;

/** `tools/call`: every call goes through the host, and its outcome becomes an MCP result. */
export class ToolCalls {
  readonly #host: ToolHost;
  readonly #settings: ServeMcpSettings;
  readonly #sdk: ServerSdk;
  readonly #questions = new Map<string, OpenQuestion>();
  readonly #open = new Set<OpenCall>();
  readonly seal: StateSeal;

  constructor(host: ToolHost, settings: ServeMcpSettings, sdk: ServerSdk) {
    this.#host = host;
    this.#settings = settings;
    this.#sdk = sdk;
    this.seal = createStateSeal(sdk, settings.approvalTimeoutMs);
  }

  /** @throws ProtocolError -32602 for a tool that does not exist, -32603 when the tool ended the run */
  async handle(params: CallToolRequestParams, ctx: ServerContext, caller: Caller): Promise<CallAnswer> {
    const sealed = ctx.mcpReq.requestState<SealedQuestion>();
    try {
      const answer = await (sealed === undefined ? this.#begin(params, ctx, caller) : this.#goOn(sealed, params, ctx));
      if (this.#sdk.isInputRequiredResult(answer) || answer.structuredContent === undefined) return answer;
      return caller.project(answer, this.#host.registry.resolve(params.name)?.outputSchema?.jsonSchema);
    } catch (error) {
      if (error instanceof this.#sdk.ProtocolError) throw error;
      const what = isPropagatingToolError(error) ? 'ended the run' : 'failed unexpectedly';
      this.#settings.log(`caisson mcp: tool '${params.name}' ${what}: ${describe(error)}`);
      throw new this.#sdk.ProtocolError(this.#sdk.ProtocolErrorCode.InternalError, 'Internal error');
    }
  }

  /** Ends what runs, and rejects what waits. */
  close(): void {
    for (const call of this.#open) call.abort('The server is closing');
    for (const id of [...this.#questions.keys()]) void this.#expire(id, 'The server closed before a decision');
  }

  async #begin(params: CallToolRequestParams, ctx: ServerContext, caller: Caller): Promise<CallAnswer> {
    const { maxConcurrentCalls } = this.#settings;
    if (this.#open.size >= maxConcurrentCalls) {
      const error = `Tool '${params.name}' did not run: ${maxConcurrentCalls} calls are under way; wait for one to end`;
      return errorResult(toolErrorResult({ toolName: params.name, error, kind: 'not-run' }));
    }
    const call = new OpenCall();
    this.#open.add(call);
    let answer: CallAnswer | undefined;
    try {
      answer = await call.during(ctx, async () => {
        const outcome = await this.#host.call(
          { toolName: params.name, args: params.arguments ?? {} },
          { signal: call.signal, onPartial: ({ output }) => call.report(output) },
        );
        if (outcome.status !== 'awaiting-approval') return this.#toResult(outcome);
        return this.#seekApproval(outcome, { call, params, ctx, caller });
      });
      return answer;
    } finally {
      // A question keeps its call open.
      if (answer === undefined || !this.#sdk.isInputRequiredResult(answer)) this.#open.delete(call);
    }
  }

  async #seekApproval(
    { approval }: Waiting,
    request: { call: OpenCall; params: CallToolRequestParams; ctx: ServerContext; caller: Caller },
  ): Promise<CallAnswer> {
    const { approvals } = this.#settings;
    const { ctx, caller, params, call } = request;
    if (approvals === 'allow') return this.#decide(approval, { decision: 'approve' });
    if (approvals === 'deny') return this.#reject(approval, 'This server runs nothing that needs approval');
    if (!canElicit(caller.capabilities(ctx))) {
      const note = 'It needs approval, and this MCP client cannot ask for it (it has no elicitation)';
      return this.#reject(approval, note);
    }
    if (caller.era === 'legacy') return this.#elicit(approval, ctx);
    const sealed: SealedQuestion = {
      approvalId: approval.id,
      toolCallId: approval.toolCallId,
      toolName: params.name,
      arguments: fingerprint(params.arguments ?? {}),
    };
    const expiry = setTimeout(
      () => void this.#expire(approval.id, 'Nobody decided in time'),
      this.#settings.approvalTimeoutMs,
    ).unref();
    this.#questions.set(approval.id, { call, approval, sealed, expiry });
    return this.#ask(approval, sealed, ctx);
  }

  async #elicit(approval: ApprovalRequest, ctx: ServerContext): Promise<CallAnswer> {
    let answer: ElicitResult;
    try {
      answer = await ctx.mcpReq.elicitInput(
        { mode: 'form', ...approvalQuestion(approval) },
        { timeout: this.#settings.approvalTimeoutMs, signal: ctx.mcpReq.signal },
      );
    } catch {
      return this.#reject(approval, 'The client did not answer the question');
    }
    return this.#decide(approval, decisionOf(answer));
  }

  async #ask(approval: ApprovalRequest, sealed: SealedQuestion, ctx: ServerContext): Promise<InputRequiredResult> {
    const { inputRequired } = this.#sdk;
    return inputRequired({
      inputRequests: { [ANSWER]: inputRequired.elicit({ mode: 'form', ...approvalQuestion(approval) }) },
      requestState: await this.seal.mint(sealed, ctx),
    });
  }

  /** The client came back. What runs is what the host kept, and only if the client still says the same. */
  async #goOn(sealed: SealedQuestion, params: CallToolRequestParams, ctx: ServerContext): Promise<CallAnswer> {
    const question = this.#questions.get(sealed.approvalId);
    if (question === undefined) return noLongerOpen(params.name);
    const { approval, call } = question;
    const answer = this.#sdk.inputResponse(ctx.mcpReq.inputResponses, ANSWER);
    if (answer.kind !== 'elicit') return this.#ask(approval, sealed, ctx);
    this.#questions.delete(approval.id);
    clearTimeout(question.expiry);
    try {
      if (params.name !== sealed.toolName || fingerprint(params.arguments ?? {}) !== sealed.arguments) {
        return await this.#reject(approval, 'The call changed after its approval was asked for, so it did not run');
      }
      return await call.during(ctx, () => this.#decide(approval, decisionOf(answer)));
    } finally {
      this.#open.delete(call);
    }
  }

  async #expire(id: string, note: string): Promise<void> {
    const question = this.#questions.get(id);
    if (question === undefined) return;
    this.#questions.delete(id);
    clearTimeout(question.expiry);
    this.#open.delete(question.call);
    await this.#reject(question.approval, note).catch(() => {});
  }

  #reject(approval: ApprovalRequest, note: string): Promise<CallToolResult> {
    return this.#decide(approval, { decision: 'reject', note });
  }

  /** The host's own approval may have expired, or have been decided elsewhere. */
  async #decide(
    { id, toolName }: ApprovalRequest,
    decision: { decision: 'approve' | 'reject'; note?: string },
  ): Promise<CallToolResult> {
    if (!this.#host.approvals.list().some((waiting) => waiting.id === id)) return noLongerOpen(toolName);
    return this.#toResult(await this.#host.approvals.resolve(id, decision));
  }

  #isListed(toolName: string): boolean {
    return this.#host.tools().some(({ name }) => name === toolName);
  }

  #toResult(outcome: ToolOutcome): CallToolResult {
    if (outcome.status === 'ok') {
      return successResult(outcome, this.#host.registry.resolve(outcome.toolName)?.outputSchema !== undefined);
    }
    // What the protocol has an error of its own for is a tool that is not listed, and not what a tool did not find.
    if (outcome.status === 'error' && (outcome.error.kind !== 'not-found' || this.#isListed(outcome.toolName)))
      return errorResult(outcome.error, outcome.content);
    const { InvalidParams, InternalError } = this.#sdk.ProtocolErrorCode;
    throw outcome.status === 'error'
      ? new this.#sdk.ProtocolError(InvalidParams, outcome.error.message, { 'caisson/error': outcome.error })
      : new this.#sdk.ProtocolError(InternalError, 'Internal error');
  }
}

function noLongerOpen(toolName: string): CallToolResult {
  const error = 'The question is no longer open: it was decided before, or nobody decided in time. Call the tool again';
  return errorResult(toolErrorResult({ toolName, error, kind: 'rejected' }));
}

/** An empty `elicitation` means forms, as the first revision that had it says. */
function canElicit(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

function decisionOf({ action, content }: Pick<ElicitResult, 'action'> & { content?: unknown }): {
  decision: 'approve' | 'reject';
  note?: string;
} {
  if (action === 'accept') return { decision: 'approve' };
  const { note } = (content ?? {}) as { note?: unknown };
  const kept = typeof note === 'string' && note.trim() !== '' ? note.slice(0, MAX_NOTE_CHARACTERS) : undefined;
  return { decision: 'reject', ...(kept === undefined ? {} : { note: kept }) };
}

function describe(error: unknown): string {
  try {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } catch {
    return 'a value that cannot be read was thrown';
  }
}
