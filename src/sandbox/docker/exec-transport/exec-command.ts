import { randomBytes } from 'node:crypto';
import { constants } from 'node:os';
import type { AgentMessage, AgentSignal, ExecResultMessage } from '../../../../sandbox/protocol/container.js';
import type { CounterClaims } from '../../../../sandbox/protocol/counter-claims.js';
import { REFUSED_DIRECTORY } from '../../../../sandbox/protocol/enter-script.js';
import { exitCause } from '../../../../sandbox/protocol/exit-cause.js';
import { SandboxError } from '../../errors.js';
import { badDirectory, startFailure } from './command-failures.js';
import { COMMAND } from './command-script.js';
import { CommandStreams, type FirstWords } from './command-streams.js';
import { endKin, type Kin, kinIn, signalKin } from './end-kin.js';
import type { EngineExec, ExecSpec } from './engine-exec.js';
import type { Keeper } from './keeper.js';
import type { Marks } from './marks.js';
import type { Scan } from './scan.js';
import { signalOf } from './signal-of.js';

export interface CommandSpec {
  argv: readonly string[];
  cwd: string;
  env: Record<string, string>;
  timeoutMs: number | undefined;
  /** Output is held back until it is answered by `credit`. */
  flow: boolean;
  /** Absent: an open pipe that the host writes to. */
  stdin: Uint8Array | undefined;
}

export interface CommandSurroundings {
  keeper: Keeper;
  marks: Marks;
  marked: boolean;
  claims: CounterClaims;
  user: string;
  graceMs: number;
  drainMs: number;
  network: 'none' | 'full';
  start(spec: ExecSpec): Promise<EngineExec>;
  /** How many commands run now, this one among them. */
  running(): number;
}

export type Answer = (message: AgentMessage, body?: Uint8Array) => void;

type Outcome = Pick<ExecResultMessage, 'exitCode' | 'cause' | 'signal' | 'killed'>;
type Left = { pid: number; command: string }[];

/** A process that has not said who it is by then will not. */
const HEADER_PATIENCE_MS = 20_000;
/** Streams that nobody holds end so soon after the command. */
const STREAM_END_MS = 30;
/** How much longer output is read when everything that could write it is known to be gone. */
const LAST_WORDS_MS = 200;
/** The deadline inside comes so much after the host's own. */
const WATCH_SLACK_MS = 500;
/** How often it is looked whether a command has ended whose output waits for the host. */
const STALL_LOOK_MS = 250;
/** From so many processes on none is started only to name others. */
const MANY = 200;

/** One command, from its start until its result is answered. */
export class ExecCommand {
  readonly ended: Promise<void>;
  readonly mark: number;
  readonly #id: number;
  readonly #spec: CommandSpec;
  readonly #around: CommandSurroundings;
  readonly #answer: Answer;
  readonly #token = randomBytes(16).toString('hex');
  readonly #startedAt = performance.now();
  readonly #streams: CommandStreams;
  readonly #stopped = Promise.withResolvers<void>();
  readonly #signalled = Promise.withResolvers<void>();
  #lastSignal: AgentSignal | undefined;
  readonly #early: [Uint8Array, boolean][] = [];
  #exec: EngineExec | undefined;
  #cause: 'timeout' | 'aborted' | undefined;
  #timer: NodeJS.Timeout | undefined;
  #inputEnded = false;
  #over = false;

  constructor(id: number, spec: CommandSpec, { around, answer }: { around: CommandSurroundings; answer: Answer }) {
    this.#id = id;
    this.#spec = spec;
    this.#around = around;
    this.#answer = answer;
    this.mark = around.marks.take();
    this.#streams = new CommandStreams(this.#token, {
      flow: spec.flow,
      take: (stream, chunk) => answer({ type: 'output', id, stream }, chunk),
    });
    this.ended = this.#run().catch((error: unknown) => this.#refuse(error));
  }

  /** What its first process showed of itself. */
  get first(): FirstWords | undefined {
    return this.#streams.first;
  }

  /** Ends everything the command started. */
  stop(cause: 'timeout' | 'aborted'): void {
    if (this.#cause !== undefined || this.#over) return;
    this.#cause = cause;
    this.#stopped.resolve();
  }

  credit(bytes: number): void {
    this.#streams.credit(bytes);
  }

  /** @returns whether there was anything to signal */
  async signal(signal: AgentSignal): Promise<boolean> {
    if (this.#over || this.first === undefined) return false;
    if (!(await signalKin(this.#kin, signal))) return false;
    this.#lastSignal = signal;
    this.#signalled.resolve();
    return true;
  }

  /** @param taken called when the bytes are on their way, or nobody will read them */
  write(bytes: Uint8Array, { end, taken }: { end: boolean; taken(): void }): void {
    if (this.#exec === undefined || this.#inputEnded) {
      if (!this.#inputEnded && !this.#over) this.#early.push([new Uint8Array(bytes), end]);
      return taken();
    }
    this.#exec.write(bytes, taken);
    if (end) this.#endInput();
  }

  get #kin(): Kin {
    const { keeper, marks, marked } = this.#around;
    return { keeper, marks, marked, mark: this.mark, pid: this.first?.pid ?? 0 };
  }

  async #run(): Promise<void> {
    const exec = await this.#around.start(this.#execSpec());
    this.#exec = exec;
    this.#streams.attach(exec);
    this.#feed(exec);
    await this.#firstWords();
    const { timeoutMs, cwd } = this.#spec;
    this.#answer({ type: 'started', id: this.#id, pid: this.#kin.pid });
    if (timeoutMs !== undefined) this.#timer = setTimeout(() => this.stop('timeout'), timeoutMs);
    const scan = await this.#untilGone();
    clearTimeout(this.#timer);
    if (this.#endedByWatch()) this.#cause ??= 'timeout';
    const { endWord } = this.#streams;
    const refused = REFUSED_DIRECTORY.find((word) => word === endWord);
    if (refused !== undefined) throw badDirectory(cwd, refused);
    if (this.#cause !== undefined) return await this.#end(this.#cause);
    const outcome = this.#outcome(await this.#exitCode(exec), scan);
    this.#report(outcome, await this.#name(scan === undefined ? [] : kinIn(scan, this.#kin), scan));
  }

  async #end(cause: 'timeout' | 'aborted'): Promise<void> {
    const killed = await endKin(this.#kin, this.#around.graceMs);
    await Promise.race([this.#streams.closed, pause(LAST_WORDS_MS)]);
    const left = killed === 'verified' ? [] : kinIn(await this.#around.keeper.scan(), this.#kin);
    this.#report({ exitCode: null, cause, killed }, await this.#name(left));
  }

  #execSpec(): ExecSpec {
    const { argv, cwd, env, timeoutMs } = this.#spec;
    const [blocks, kib] = this.#around.marks.words(this.mark);
    const seconds = timeoutMs === undefined ? '' : ((timeoutMs + WATCH_SLACK_MS) / 1000).toFixed(2);
    const grace = (this.#around.graceMs / 1000).toFixed(2);
    return {
      user: this.#around.user,
      argv: ['/bin/sh', '-c', 'eval "$_cs_run"', 'sh', blocks, kib, seconds, grace, cwd, '/workspace', ...argv],
      // Not among the arguments: who lists processes need not read it.
      env: { ...env, _cs_run: COMMAND },
    };
  }

  #feed(exec: EngineExec): void {
    exec.write(Buffer.from(`${this.#token}\n`, 'latin1'));
    const { stdin } = this.#spec;
    if (stdin !== undefined) {
      if (stdin.length > 0) exec.write(stdin);
      this.#endInput();
    }
    for (const [bytes, end] of this.#early.splice(0)) {
      if (bytes.length > 0) exec.write(bytes);
      if (end) this.#endInput();
    }
  }

  #endInput(): void {
    this.#inputEnded = true;
    this.#exec?.endInput();
  }

  /** Until the command's parent has said who it is. A call that was stopped before waits too: only then it can be ended. */
  async #firstWords(): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, HEADER_PATIENCE_MS);
    await Promise.race([this.#streams.begun, this.#streams.closed, late.promise]);
    clearTimeout(timer);
    if (this.first !== undefined) return;
    // If the container is gone the keeper is too, and this fails with the reason.
    await this.#around.keeper.scan();
    this.#exec?.destroy();
    throw startFailure(this.#streams.otherWords);
  }

  /**
   * Until the first process is gone, by what root sees, or the call is stopped: neither a record nor the end of the
   * streams is the end. Children that hold the streams may say more for a while.
   */
  async #untilGone(): Promise<Scan | undefined> {
    const happened = [this.#streams.closed, this.#stopped.promise];
    // What was ended by a signal leaves no record, and the engine holds an end back while it drains what others left.
    await this.#untilWord(Promise.race([this.#streams.recorded, this.#signalled.promise, ...happened]));
    await Promise.race([...happened, pause(STREAM_END_MS)]);
    let left = this.#around.drainMs - STREAM_END_MS;
    for (let wait = 5; this.#cause === undefined; wait = Math.min(wait * 2, 250)) {
      const scan = await this.#around.keeper.scan();
      const runs = scan.processes.some(({ pid }) => pid === this.#kin.pid);
      if (!runs && (this.#streams.ended || left <= 0 || kinIn(scan, this.#kin).length === 0)) return scan;
      const step = runs ? wait : Math.min(left, 50);
      await Promise.race([runs ? this.#stopped.promise : Promise.race(happened), pause(step)]);
      // Time that the host makes the output wait is not the command's.
      if (!runs && !this.#streams.stalled) left -= step;
    }
    return undefined;
  }

  /**
   * Output that nobody reads holds the record back with it: once the command is gone, the rest is not waited for. Its
   * parent may be held up too, writing the record where a child of the command floods: then it has no child any more.
   */
  async #untilWord(word: Promise<void>): Promise<void> {
    const said = word.then(() => true);
    while (!(await Promise.race([said, pause(STALL_LOOK_MS).then(() => false)]))) {
      if (!this.#streams.stalled) continue;
      const { processes } = await this.#around.keeper.scan();
      if (!processes.some(({ parent }) => parent === this.#kin.pid)) this.#streams.release();
    }
  }

  /** The deadline inside came first: this host was busy. */
  #endedByWatch(): boolean {
    const { timeoutMs } = this.#spec;
    const took = performance.now() - this.#startedAt;
    return timeoutMs !== undefined && !this.#streams.isRecorded && took > timeoutMs + WATCH_SLACK_MS;
  }

  /**
   * The engine's word, where all streams have ended: no command can forge it. Where children hold them open the engine
   * says nothing yet, and the word of the command's parent counts, which died with it.
   */
  async #exitCode(exec: EngineExec): Promise<number> {
    for (let tries = 0; this.#streams.ended && tries < 100; tries += 1) {
      const code = await exec.exitCode().catch(() => undefined);
      if (code !== undefined) return code & 255;
      await pause(10);
    }
    const word = this.#streams.endWord ?? '';
    if (/^\d{1,3}$/.test(word)) return Number(word) & 255;
    // Without a word its parent was killed: by what the host sent, or else from inside.
    return 128 + constants.signals[this.#lastSignal ?? 'SIGKILL'];
  }

  #outcome(exitCode: number, scan: Scan | undefined): Outcome {
    const signal = signalOf(exitCode);
    const end = { killed: exitCode === 137, failed: exitCode !== 0, alone: this.#around.running() === 1 };
    const counted = scan === undefined ? undefined : this.#around.claims.claim(scan.counters, end);
    const byWords = () => exitCause(exitCode, this.#streams.stderrEnd, this.#around.network);
    const cause = counted ?? (signal === undefined ? byWords() : 'killed');
    return { exitCode, ...(signal === undefined ? {} : { signal }), ...(cause === undefined ? {} : { cause }) };
  }

  async #name(pids: readonly number[], scan?: Scan): Promise<Left> {
    const some = pids.slice(0, 50);
    const few = scan === undefined || scan.count <= MANY;
    const lines = few ? await this.#around.keeper.lines(some) : new Map<number, string>();
    const names = new Map(scan?.processes.map(({ pid, name }) => [pid, name]));
    return some.map((pid) => ({ pid, command: (lines.get(pid) || names.get(pid) || '?').slice(0, 200) }));
  }

  #report(outcome: Outcome, stillRunning: Left): void {
    this.#finish();
    this.#answer({
      type: 'exec-result',
      id: this.#id,
      ...outcome,
      ...(stillRunning.length > 0 ? { stillRunning } : {}),
      stdoutBytes: 0,
      droppedStdoutBytes: 0,
      droppedStderrBytes: 0,
    });
  }

  #refuse(error: unknown): void {
    this.#finish();
    const { code, message } =
      error instanceof SandboxError
        ? error
        : new SandboxError('adapter_bug', 'Cannot run the command: the sandbox failed in an unforeseen way');
    this.#answer({ type: 'error', id: this.#id, code, message });
  }

  #finish(): void {
    this.#streams.finish();
    this.#over = true;
    clearTimeout(this.#timer);
    this.#exec?.release();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
