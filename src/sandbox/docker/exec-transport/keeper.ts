import { randomBytes } from 'node:crypto';
import { PING_EVERY_MS } from '../../../../sandbox/protocol/container.js';
import { SandboxCrashedError, type SandboxError, SandboxUnavailableError } from '../../errors.js';
import type { AgentTransport } from '../agent/agent-transport.js';
import { KEEPER_LINE } from './keeper-script.js';
import { readScan, type Scan } from './scan.js';

interface Request {
  done(lines: string[]): void;
  failed(error: SandboxError): void;
}

/** A keeper that does not answer for so long is not there any more. */
const PATIENCE_MS = 15_000;
/** Thousands of processes fit; whoever says more is not ours. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** The host's side of the container's main process: asks, one thing after the other, and finds out when it is gone. */
export class Keeper {
  readonly ready: Promise<void>;
  readonly #transport: AgentTransport;
  readonly #onLost: (error: SandboxError) => void;
  readonly #token = randomBytes(16).toString('hex');
  readonly #waiting: Request[] = [];
  #received = '';
  #lastHeard = performance.now();
  #scan: Promise<Scan> | undefined;
  #over: SandboxError | undefined;
  #heartbeat: NodeJS.Timeout | undefined;

  /** @param onLost called once, when the container's main process is gone or does not answer */
  constructor(transport: AgentTransport, onLost: (error: SandboxError) => void) {
    this.#transport = transport;
    this.#onLost = onLost;
    transport.listen({ data: (chunk) => this.#read(chunk), closed: () => void this.#lose() });
    transport.write(Buffer.from(KEEPER_LINE, 'latin1'));
    // The first answer is what it says by itself.
    this.ready = this.#ask(this.#token).then(() => {});
    this.ready.catch(() => {});
  }

  async ping(): Promise<void> {
    await this.#ask('ping');
  }

  /** Everybody who lives in the container, a moment from now. Who asks while a look is on its way gets the next one. */
  scan(): Promise<Scan> {
    this.#scan ??= this.#waitForTurn().then(async () => {
      this.#scan = undefined;
      return readScan(await this.#ask('scan'));
    });
    return this.#scan;
  }

  /** @param targets processes, or groups as negative numbers */
  async kill(signal: string, targets: readonly number[]): Promise<void> {
    for (let from = 0; from < targets.length; from += 200) {
      await this.#ask(`kill ${signal.replace(/^SIG/, '')} ${targets.slice(from, from + 200).join(' ')}`);
    }
  }

  /** Command lines, by process. */
  async lines(pids: readonly number[]): Promise<Map<number, string>> {
    if (pids.length === 0) return new Map();
    const answers = await this.#ask(`line ${pids.join(' ')}`);
    return new Map(
      answers.flatMap((answer) => {
        const [, pid, line = ''] = /^l (\d+) (.*)$/s.exec(answer) ?? [];
        return pid === undefined ? [] : [[Number(pid), line.trim()] as const];
      }),
    );
  }

  /** Whether calls are under way: only then silence is asked about, and the host's event loop kept alive. */
  watch(watched: boolean): void {
    this.#transport.hold(watched);
    clearInterval(this.#heartbeat);
    if (!watched || this.#over !== undefined) return;
    this.#lastHeard = performance.now();
    let askedAt: number | undefined;
    this.#heartbeat = setInterval(() => {
      const silent = performance.now() - this.#lastHeard;
      // A host that was busy itself has not looked yet: what has arrived is read before the next time.
      if (askedAt !== undefined && silent > PATIENCE_MS && performance.now() - askedAt < PING_EVERY_MS * 2) {
        return void this.#lose();
      }
      askedAt = performance.now();
      this.ping().catch(() => {});
    }, PING_EVERY_MS);
  }

  /** Nothing is asked any more, and what was asked has failed. */
  end(error: SandboxError): void {
    if (this.#over !== undefined) return;
    this.#over = error;
    clearInterval(this.#heartbeat);
    this.#transport.hold(false);
    for (const { failed } of this.#waiting.splice(0)) failed(error);
  }

  /** The look on its way may have begun before what its asker wants to see. */
  async #waitForTurn(): Promise<void> {
    if (this.#waiting.length > 0) await new Promise<void>((resolve) => setTimeout(resolve, 2));
  }

  #ask(line: string): Promise<string[]> {
    if (this.#over !== undefined) return Promise.reject(this.#over);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ done: resolve, failed: reject });
      this.#transport.write(Buffer.from(`${line}\n`, 'latin1'));
    });
  }

  #read(chunk: Uint8Array): void {
    if (this.#over !== undefined) return;
    this.#lastHeard = performance.now();
    this.#received += Buffer.from(chunk).toString('utf8');
    for (;;) {
      const end = this.#endOfAnswer();
      if (end === -1) break;
      const answer = this.#received.slice(0, end);
      this.#received = this.#received.slice(end + this.#token.length + 1);
      const request = this.#waiting.shift();
      if (request === undefined) return this.#breakOff();
      request.done(answer.split('\n').slice(0, -1));
    }
    if (this.#received.length > MAX_ANSWER_BYTES) this.#breakOff();
  }

  #endOfAnswer(): number {
    const line = `${this.#token}\n`;
    if (this.#received.startsWith(line)) return 0;
    const found = this.#received.indexOf(`\n${line}`);
    return found === -1 ? -1 : found + 1;
  }

  #breakOff(): void {
    this.#fail(new SandboxCrashedError('The sandbox sent what is no answer and was ended. Start a new one'));
  }

  async #lose(): Promise<void> {
    if (this.#over !== undefined) return;
    clearInterval(this.#heartbeat);
    const { code, reason } = await this.#transport.explainEnd();
    this.#fail(
      code === 'engine_unreachable' ? new SandboxUnavailableError(reason, { code }) : new SandboxCrashedError(reason),
    );
  }

  #fail(error: SandboxError): void {
    if (this.#over !== undefined) return;
    this.end(error);
    this.#onLost(error);
    void this.#transport.destroy();
  }
}
