import {
  type AgentMessage,
  HEARTBEAT,
  type HostMessage,
  PING_EVERY_MS,
} from '../../../../sandbox/protocol/container.js';
import { encodeFrame, FrameDecoder } from '../../../../sandbox/protocol/frame.js';
import { SandboxCrashedError, type SandboxError, SandboxUnavailableError } from '../../errors.js';
import { readAgentMessage } from './agent-messages.js';
import type { AgentTransport } from './agent-transport.js';

/** One call on its way. */
export interface AgentCall {
  /** @returns whether the call is over; nothing that comes for it afterwards is looked at */
  receive(message: AgentMessage, body: Uint8Array): boolean;
  /** The agent is gone and will never answer. */
  lost(error: SandboxError): void;
}

/** What a session has found; without an agent the calls are done by processes that the engine starts. */
export type ReadyMessage = Extract<AgentMessage, { type: 'ready' }> & { transport?: 'exec' };

/** Who does the calls of a session: an agent at the other end of a stream, or the host itself through the engine. */
export interface AgentConnection {
  /** Registers a call; its messages carry the id that is returned. A link that is over loses it at once. */
  begin(call: AgentCall): number;
  send(message: HostMessage, body?: Uint8Array): void;
  /** Whether calls are under way. */
  readonly busy: boolean;
  /** Resolves when the other end has answered; is no use of it. @throws SandboxError when it is lost instead */
  ping(): Promise<void>;
  /** The other end is being ended from here: that its stream closes is no news. `end()` must follow. */
  ignoreEnd(): void;
  /** Every call is lost for this reason. */
  end(error: SandboxError): void;
}

/** An agent that does not answer a ping for so long is not there any more. */
const PING_PATIENCE_MS = 15_000;
/** Answers to calls that nobody has. A few are late ones; an agent that sends many is not ours any more. */
const MAX_STRAY = 10_000;

/** Frames, ids and the heartbeat over one transport. Knows nothing of what calls mean. */
export class FramedConnection implements AgentConnection {
  readonly ready: Promise<ReadyMessage>;
  readonly #transport: AgentTransport;
  readonly #calls = new Map<number, AgentCall>();
  readonly #decoder = new FrameDecoder();
  readonly #ready = Promise.withResolvers<ReadyMessage>();
  readonly #onLost: (error: SandboxError) => void;
  #nextId = 1;
  #over: SandboxError | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #lastHeard = performance.now();
  #stray = 0;
  #ignoresEnd = false;
  #going: 'idle' | 'expired' | undefined;

  constructor(transport: AgentTransport, onLost: (error: SandboxError) => void) {
    this.#transport = transport;
    this.#onLost = onLost;
    this.ready = this.#ready.promise;
    this.ready.catch(() => {});
    transport.listen({ data: (chunk) => this.#read(chunk), closed: () => void this.#closed() });
  }

  /** Sends bytes that are no frame: the agent's own source. */
  sendRaw(bytes: Uint8Array): void {
    this.#transport.write(bytes);
  }

  send(message: HostMessage, body?: Uint8Array): void {
    this.sendFrame(message, body);
  }

  /** For other guests than agents, which have first messages of their own. */
  sendFrame(message: object, body?: Uint8Array): void {
    if (this.#over !== undefined) return;
    for (const piece of encodeFrame(message, body)) this.#transport.write(piece);
  }

  /** Registers a call; its messages carry the id that is returned. A connection that is over loses it at once. */
  begin(call: AgentCall): number {
    const id = this.#nextId;
    this.#nextId += 1;
    if (this.#over !== undefined) {
      call.lost(this.#over);
      return id;
    }
    this.#calls.set(id, call);
    if (this.#calls.size === 1) this.#startHeartbeat();
    return id;
  }

  /** Whether calls are under way. */
  get busy(): boolean {
    return this.#calls.size > 0;
  }

  ping(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const answered = () => {
      resolve();
      return true;
    };
    const id = this.begin({ receive: answered, lost: reject });
    this.send({ type: 'ping', id });
    return promise;
  }

  /** The other end is being ended from here: that its stream closes is no news. `end()` must follow. */
  ignoreEnd(): void {
    this.#ignoresEnd = true;
  }

  /** Ends the connection: every call is lost for this reason. */
  end(error: SandboxError): void {
    if (this.#over !== undefined) return;
    this.#over = error;
    this.#stopHeartbeat();
    this.#ready.reject(error);
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const call of calls) call.lost(error);
    this.#onLost(error);
  }

  #read(chunk: Uint8Array): void {
    if (this.#over !== undefined) return;
    this.#lastHeard = performance.now();
    try {
      for (const { header, body } of this.#decoder.push(chunk)) {
        const message = readAgentMessage(header);
        if (message === undefined) return this.#breakOff();
        this.#dispatch(message, body);
        if (this.#over !== undefined) return;
      }
    } catch {
      this.#breakOff();
    }
  }

  #dispatch(message: AgentMessage, body: Uint8Array): void {
    switch (message.type) {
      case 'ready':
        return this.#ready.resolve(message);
      case 'failed':
        return this.end(
          new SandboxUnavailableError(`Cannot start the sandbox: ${message.message}`, { code: 'sandbox_start_failed' }),
        );
      case 'going':
        this.#going = message.reason;
        return;
      case 'pong':
        if (message.id === HEARTBEAT) return;
        return this.#answer(message.id, message, body);
      default:
        return this.#answer(message.id, message, body);
    }
  }

  #answer(id: number, message: AgentMessage, body: Uint8Array): void {
    const call = this.#calls.get(id);
    if (call === undefined) {
      this.#stray += 1;
      if (this.#stray > MAX_STRAY) this.#breakOff();
      return;
    }
    if (!call.receive(message, body)) return;
    this.#calls.delete(id);
    if (this.#calls.size === 0) this.#stopHeartbeat();
  }

  #breakOff(): void {
    this.end(new SandboxCrashedError('The sandbox sent what is not a message and was ended. Start a new one'));
    void this.#transport.destroy();
  }

  async #closed(): Promise<void> {
    if (this.#over !== undefined || this.#ignoresEnd) return;
    this.#stopHeartbeat();
    if (this.#going !== undefined) {
      return this.end(
        new SandboxCrashedError(
          this.#going === 'idle'
            ? 'The sandbox was not used for too long and has ended. Start a new one'
            : 'The sandbox reached the end of its life. Start a new one',
          'sandbox_expired',
        ),
      );
    }
    const { code, reason } = await this.#transport.explainEnd();
    if (code === 'engine_unreachable') return this.end(new SandboxUnavailableError(reason, { code }));
    this.end(new SandboxCrashedError(reason));
  }

  #startHeartbeat(): void {
    this.#transport.hold(true);
    this.#lastHeard = performance.now();
    let askedAt: number | undefined;
    this.#heartbeat = setInterval(() => {
      const silent = performance.now() - this.#lastHeard;
      // A host that was busy itself has not looked yet: what has arrived is read before the next time.
      if (askedAt !== undefined && silent > PING_PATIENCE_MS && performance.now() - askedAt < PING_EVERY_MS * 2) {
        return void this.#silent();
      }
      askedAt = performance.now();
      this.send({ type: 'ping', id: HEARTBEAT });
    }, PING_EVERY_MS);
  }

  #stopHeartbeat(): void {
    clearInterval(this.#heartbeat);
    this.#transport.hold(false);
  }

  async #silent(): Promise<void> {
    this.#stopHeartbeat();
    const { code, reason } = await this.#transport.explainEnd();
    if (code === 'engine_unreachable') this.end(new SandboxUnavailableError(reason, { code }));
    else this.end(new SandboxCrashedError(reason));
    await this.#transport.destroy();
  }
}
