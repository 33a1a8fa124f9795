import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { encodeFrame, FrameDecoder } from '../../../sandbox/protocol/frame.js';
import type { FileOperation, HostMessage, InitMessage, WorkerMessage } from '../../../sandbox/protocol/isolate.js';

const root = resolve(import.meta.dirname, '../../..');
export const guestDirectory = join(root, 'dist/guest');

type Received = WorkerMessage & { body: Buffer };

export interface WorkerDeath {
  signal: NodeJS.Signals | null;
  /** Why the worker ended itself, as it said. */
  lastWords: string;
  /** The call it ended itself over, as it said; 0 when it was none's fault. */
  call: number;
  stderr: string;
}

export interface ExecAnswer {
  exitCode: number | null;
  cause?: string | undefined;
  stdout: Buffer;
  stderr: string;
  text: string;
  droppedStdoutBytes: number;
}

export interface EvaluateAnswer {
  ok: boolean;
  code?: string | undefined;
  value: unknown;
  logs: string[];
}

export type DriverOptions = Partial<
  Pick<InitMessage, 'role' | 'mode' | 'plan' | 'memoryBytes' | 'uid' | 'gid' | 'snapshotPath'>
> & {
  /** Where the worker's code lies. Default what the build made. */
  code?: string;
};

/** A worker process, started as the host starts it and spoken to in frames. */
export class WorkerDriver implements AsyncDisposable {
  readonly workspace: string;
  readonly #base: string;
  readonly child: ChildProcess;
  readonly death: Promise<WorkerDeath>;
  ready: { snapshotBuilt: boolean; uid: number; body: Buffer } = {
    snapshotBuilt: false,
    uid: -1,
    body: Buffer.alloc(0),
  };
  readonly received: Received[] = [];
  readonly #waiting: {
    wants: (message: Received) => boolean;
    resolve: (message: Received) => void;
    reject: (error: Error) => void;
  }[] = [];
  #lastId = 0;
  #dead: WorkerDeath | undefined;

  private constructor({ role = 'shell', mode = 'direct', code = guestDirectory, ...options }: DriverOptions) {
    if (!existsSync(join(guestDirectory, 'worker.js'))) throw new Error('Run `npm run build` before these tests');
    this.#base = realpathSync(mkdtempSync(join(tmpdir(), 'caisson-worker-')));
    chmodSync(this.#base, 0o755);
    this.workspace = join(this.#base, 'workspace');
    const privateRoot = join(this.#base, 'private');
    for (const path of [this.workspace, privateRoot]) {
      mkdirSync(path, { mode: 0o755 });
      if (options.uid !== undefined) chownSync(path, options.uid, options.gid ?? options.uid);
    }
    const readable = [code, join(root, 'node_modules/isolated-vm'), this.workspace, privateRoot];
    if (options.snapshotPath !== undefined) readable.push(options.snapshotPath);
    this.child = spawn(
      process.execPath,
      [
        ...(role === 'shell' ? ['--no-node-snapshot', '--allow-addons'] : []),
        '--disable-sigusr1',
        '--no-warnings',
        '--permission',
        '--allow-worker',
        ...readable.map((path) => `--allow-fs-read=${path}`),
        ...[this.workspace, privateRoot].map((path) => `--allow-fs-write=${path}`),
        join(code, 'worker.js'),
      ],
      { env: {}, cwd: '/', stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'] },
    );
    this.death = this.#listen();
    this.send({
      type: 'init',
      role,
      mode,
      ...(mode === 'memory' ? {} : { workspaceRoot: this.workspace }),
      privateRoot,
      plan: { denyRead: [], denyWrite: [] },
      memoryBytes: 512 * 1024 * 1024,
      maxDiskBytes: 64 * 1024 * 1024,
      maxDiskEntries: 10_000,
      ...options,
    });
  }

  static async start(options: DriverOptions = {}): Promise<WorkerDriver> {
    const driver = new WorkerDriver(options);
    const first = await driver.wait((message) => message.type === 'ready' || message.type === 'failed');
    if (first.type !== 'ready') throw new Error(first.type === 'failed' ? first.message : first.type);
    driver.ready = first;
    return driver;
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  send(message: HostMessage, body?: Uint8Array): void {
    for (const piece of encodeFrame(message, body)) this.child.stdin?.write(piece);
  }

  wait(wants: (message: Received) => boolean): Promise<Received> {
    const index = this.received.findIndex(wants);
    const [there] = index === -1 ? [] : this.received.splice(index, 1);
    if (there !== undefined) return Promise.resolve(there);
    if (this.#dead !== undefined) return Promise.reject(deathError(this.#dead));
    return new Promise((resolve, reject) => this.#waiting.push({ wants, resolve, reject }));
  }

  async exec(
    command: string | string[],
    options: {
      cwd?: string;
      env?: Record<string, string>;
      timeoutMs?: number;
      maxOutputBytes?: number;
      stdin?: Uint8Array;
      quiet?: boolean;
      id?: number;
    } = {},
  ): Promise<ExecAnswer> {
    const { stdin, id = this.nextId(), ...rest } = options;
    this.send(
      {
        type: 'exec',
        id,
        ...(typeof command === 'string' ? { command } : { argv: command }),
        cwd: '/workspace',
        env: {},
        timeoutMs: 10_000,
        maxOutputBytes: 1024 * 1024,
        ...rest,
      },
      stdin,
    );
    const answer = await this.wait((message) => 'id' in message && message.id === id && message.type !== 'output');
    if (answer.type === 'error')
      throw Object.assign(new Error(answer.message), { code: answer.code, path: answer.path });
    if (answer.type !== 'exec-result') throw new Error(`Unexpected ${answer.type}`);
    const stdout = answer.body.subarray(0, answer.stdoutBytes);
    const { exitCode, cause, droppedStdoutBytes } = answer;
    const stderr = answer.body.subarray(answer.stdoutBytes).toString();
    return { exitCode, cause, stdout, stderr, text: stdout.toString(), droppedStdoutBytes };
  }

  async evaluate(
    code: string,
    options: {
      input?: unknown;
      functions?: Record<string, (argument: unknown) => unknown>;
      timeoutMs?: number;
      maxCalls?: number;
      id?: number;
    } = {},
  ): Promise<EvaluateAnswer> {
    const { input = null, functions = {}, timeoutMs = 5_000, maxCalls = 50, id = this.nextId() } = options;
    this.send(
      { type: 'evaluate', id, input: JSON.stringify(input), functions: Object.keys(functions), timeoutMs, maxCalls },
      Buffer.from(code),
    );
    for (;;) {
      const message = await this.wait((candidate) => 'id' in candidate && candidate.id === id);
      if (message.type === 'call') {
        const value = await functions[message.name]?.(JSON.parse(message.body.toString()));
        this.send({ type: 'answer', id, callId: message.callId, ok: true }, Buffer.from(JSON.stringify(value ?? null)));
        continue;
      }
      if (message.type !== 'evaluate-result') throw new Error(`Unexpected ${message.type}`);
      return { ok: message.ok, code: message.code, logs: message.logs, value: JSON.parse(message.body.toString()) };
    }
  }

  async file(operation: FileOperation, body?: Uint8Array): Promise<{ value: unknown; body: Buffer }> {
    const id = this.nextId();
    this.send({ type: 'file', id, operation }, body);
    const message = await this.wait((candidate) => 'id' in candidate && candidate.id === id);
    if (message.type === 'error') throw Object.assign(new Error(message.message), { code: message.code });
    if (message.type !== 'file-result') throw new Error(`Unexpected ${message.type}`);
    return { value: message.value, body: message.body };
  }

  /** As the host cancels: by frame, and by the watchdog for a main thread that is stuck. */
  cancel(id: number): void {
    this.send({ type: 'cancel', id });
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(id);
    (this.child.stdio[3] as Writable).write(bytes);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    await this.death;
    rmSync(this.#base, { recursive: true, force: true });
  }

  #listen(): Promise<WorkerDeath> {
    const decoder = new FrameDecoder();
    let lastWords = '';
    let stderr = '';
    this.child.stdin?.on('error', () => undefined);
    (this.child.stdio[3] as Writable).on('error', () => undefined);
    this.child.stdout?.on('data', (chunk: Buffer) => {
      for (const { header, body } of decoder.push(chunk)) {
        this.received.push(Object.assign(header as WorkerMessage, { body: Buffer.from(body) }));
      }
      this.#deliver();
    });
    this.child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    (this.child.stdio[4] as Readable).on('data', (chunk: Buffer) => (lastWords += chunk.toString()));
    return new Promise((resolve) => {
      this.child.on('close', (_code, signal) => {
        const [reason = '', call = '0'] = lastWords.split(' ');
        this.#dead = { signal, lastWords: reason, call: Number(call), stderr };
        for (const { reject } of this.#waiting.splice(0)) reject(deathError(this.#dead));
        resolve(this.#dead);
      });
    });
  }

  #deliver(): void {
    for (const waiting of [...this.#waiting]) {
      const index = this.received.findIndex(waiting.wants);
      const [message] = index === -1 ? [] : this.received.splice(index, 1);
      if (message === undefined) continue;
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      waiting.resolve(message);
    }
  }
}

function deathError(death: WorkerDeath): Error {
  return Object.assign(new Error(`The worker died: ${death.lastWords || death.signal}`), { death });
}

/** The death a call ends in. */
export async function deathOf(call: Promise<unknown>): Promise<WorkerDeath> {
  try {
    await call;
  } catch (error) {
    const { death } = error as { death?: WorkerDeath };
    if (death !== undefined) return death;
    throw error;
  }
  throw new Error('The worker lived on');
}
