import { isExpiryError } from '../../host/approvals.js';
import { expired } from '../../host/refusal.js';
import { withSandboxView } from '../../host/sandbox-view.js';
import type { ApprovalRequest, CallOptions, ToolHost, ToolOutcome } from '../../host/types.js';
import { toolErrorResult } from '../../tool/error-result.js';
import { isPropagatingToolError } from '../../tool/propagating-error.js';
import type { ToolErrorResult } from '../../tool/result.js';
import { CallFailed } from './call-failed.js';
import type { CodingCall, DecidedOutcome, HostCall, TurnCall } from './turn-call.js';

/** A call that waits for a person, in the middle of a turn. */
export interface TurnPause {
  approval: ApprovalRequest;
  /** Decides, and goes on with the turn until it ends or pauses again. Too late, the call is rejected as expired. */
  decide(decision: { decision: 'approve' | 'reject'; note?: string }): Promise<TurnPause | undefined>;
}

/**
 * The calls of one message of a model, answered in call order. Function calls that follow each other run as a batch of
 * the host; a coding call (a shell, an editor) changes what the others see, so it runs alone, in its turn. Where a
 * call waits for approval the turn pauses: what comes after it runs when it was decided.
 */
export class ToolTurn<Answer> {
  readonly #host: ToolHost;
  readonly #calls: readonly TurnCall<Answer>[];
  readonly #options: CallOptions;
  readonly #answers: Answer[] = [];

  constructor(host: ToolHost, calls: readonly TurnCall<Answer>[], options: CallOptions) {
    this.#host = host;
    this.#calls = calls;
    this.#options = options;
  }

  /** The answers so far; all of them once the turn neither runs nor pauses. */
  get answers(): Answer[] {
    return [...this.#answers];
  }

  /** @throws PropagatingToolError when a tool throws one. */
  async run(): Promise<TurnPause | undefined> {
    for (let call = this.#next(); call !== undefined; call = this.#next()) {
      const pause = await this.#step(call);
      if (pause !== undefined) return pause;
    }
    return undefined;
  }

  #next(): TurnCall<Answer> | undefined {
    return this.#calls[this.#answers.length];
  }

  async #step(call: TurnCall<Answer>): Promise<TurnPause | undefined> {
    if (call.kind === 'refused') {
      this.#answers.push(call.answer);
      return undefined;
    }
    return call.kind === 'function' ? this.#runBatch() : this.#runCoding(call);
  }

  async #runBatch(): Promise<TurnPause | undefined> {
    const rest = this.#calls.slice(this.#answers.length);
    const end = rest.findIndex(({ kind }) => kind !== 'function');
    const batch = rest.slice(0, end === -1 ? rest.length : end).filter((call) => call.kind === 'function');
    const outcomes = await this.#host.callMany(
      batch.map(({ call }) => call),
      this.#options,
    );
    for (const [index, outcome] of outcomes.entries()) {
      const call = batch[index];
      if (call === undefined) break;
      // The host started nothing after this one: the rest of the batch is a batch of its own, later.
      if (outcome.status === 'awaiting-approval') {
        return this.#pause(outcome.approval, async (decided) => {
          this.#answers.push(call.answer(decided));
          return this.run();
        });
      }
      this.#answers.push(call.answer(outcome));
    }
    return undefined;
  }

  async #runCoding(coding: CodingCall<Answer>): Promise<TurnPause | undefined> {
    let step = 0;
    let paused = Promise.withResolvers<TurnPause>();
    const call: HostCall = async (toolName, args, view) => {
      step += 1;
      const toolCallId = step === 1 ? coding.toolCallId : `${coding.toolCallId}#${step}`;
      const options = view === undefined ? this.#options : withSandboxView(this.#options, view);
      const outcome = await this.#host.call({ toolCallId, toolName, args }, options);
      if (outcome.status !== 'awaiting-approval') return outcome;
      const answer = Promise.withResolvers<DecidedOutcome>();
      paused.resolve(
        this.#pause(outcome.approval, async (decided) => {
          paused = Promise.withResolvers();
          answer.resolve(decided);
          return (await endOrPause()) ?? this.run();
        }),
      );
      return answer.promise;
    };
    const work = coding.run(call).catch((error: unknown) => coding.failed(failureOf(coding.toolName, error)));
    const endOrPause = async (): Promise<TurnPause | undefined> => {
      const end = work.then((answer) => ({ answer }));
      const first = await Promise.race([end, paused.promise.then((pause) => ({ pause }))]);
      if ('pause' in first) return first.pause;
      this.#answers.push(first.answer);
      return undefined;
    };
    return endOrPause();
  }

  #pause(approval: ApprovalRequest, resume: (outcome: DecidedOutcome) => Promise<TurnPause | undefined>): TurnPause {
    let isOver = false;
    return {
      approval,
      decide: async (decision) => {
        const outcome = await this.#host.approvals.resolve(approval.id, decision).catch((error: unknown) => {
          // The host has rejected the call: the turn goes on with that, once.
          if (!isExpiryError(error) || isOver) throw error;
          isOver = true;
          return expiredOutcome(approval);
        });
        return resume(decidedOf(outcome));
      },
    };
  }
}

function expiredOutcome({ toolCallId, toolName }: ApprovalRequest): ToolOutcome {
  return { status: 'error', isError: true, error: expired(toolName).result, toolCallId, toolName, durationMs: 0 };
}

function decidedOf(outcome: ToolOutcome): DecidedOutcome {
  if (outcome.status !== 'awaiting-approval') return outcome;
  throw new Error(`Cannot go on with the turn: the call '${outcome.toolCallId}' still waits for approval`);
}

/** What goes wrong with a call the model wrote is its answer. @throws PropagatingToolError */
function failureOf(toolName: string, error: unknown): ToolErrorResult {
  if (isPropagatingToolError(error)) throw error;
  return error instanceof CallFailed ? error.result : toolErrorResult({ toolName, error });
}
