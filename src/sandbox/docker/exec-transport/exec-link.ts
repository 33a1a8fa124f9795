import type { AgentMessage, ExecMessage, HostMessage, SpawnMessage } from '../../../../sandbox/protocol/container.js';
import type { SandboxError } from '../../errors.js';
import type { AgentCall, AgentConnection } from '../agent/agent-connection.js';
import { type CommandSpec, type CommandSurroundings, ExecCommand } from './exec-command.js';
import type { ExecFiles } from './exec-files.js';
import type { Keeper } from './keeper.js';

export interface ExecLinkOptions {
  keeper: Keeper;
  files: ExecFiles;
  around: Omit<CommandSurroundings, 'running'>;
  shell: readonly string[];
  /** Every command's environment before its own. */
  env: Record<string, string>;
  /** At most so many commands run at once; more wait their turn. */
  maxRunning: number;
  /** A call begins or ends. */
  used(busy: boolean): void;
  onLost(error: SandboxError): void;
}

const NOTHING = new Uint8Array(0);
/** One argument may have 128 KiB; a longer command line comes by stdin. */
const LONG_COMMAND_BYTES = 120 * 1024;

/**
 * Answers what an agent would be asked, without one: commands are processes that the engine starts, files are the work
 * of a helper. Calls do not notice.
 */
export class ExecLink implements AgentConnection {
  readonly #options: ExecLinkOptions;
  readonly #calls = new Map<number, AgentCall>();
  readonly #commands = new Map<number, ExecCommand>();
  readonly #waiting = new Map<number, { spec: CommandSpec; arrived: number; timer: NodeJS.Timeout | undefined }>();
  #nextId = 1;
  #over: SandboxError | undefined;

  constructor(options: ExecLinkOptions) {
    this.#options = options;
  }

  get busy(): boolean {
    return this.#calls.size > 0;
  }

  begin(call: AgentCall): number {
    const id = this.#nextId;
    this.#nextId += 1;
    if (this.#over !== undefined) {
      call.lost(this.#over);
      return id;
    }
    this.#calls.set(id, call);
    if (this.#calls.size === 1) this.#use(true);
    return id;
  }

  send(message: HostMessage, body: Uint8Array = NOTHING): void {
    if (this.#over !== undefined) return;
    switch (message.type) {
      case 'exec':
        return this.#enter(message.id, this.#execSpec(message, body));
      case 'spawn':
        return this.#enter(message.id, this.#spawnSpec(message));
      case 'stdin': {
        const { id, end } = message;
        const taken = () => this.#answer({ type: 'stdin-credit', id, bytes: body.length });
        const command = this.#commands.get(id);
        return command === undefined ? taken() : command.write(body, { end, taken });
      }
      case 'credit':
        return this.#commands.get(message.id)?.credit(message.bytes);
      case 'signal':
        return void this.#signal(message.id, message.signal);
      case 'cancel':
        return this.#cancel(message.id);
      case 'file':
      case 'tree':
        return this.#options.files.call(message, body, (answer, content) => this.#answer(answer, content));
      case 'enforce':
        return this.#options.files.enforce(message.plan);
      case 'ping':
      case 'init':
        return;
    }
  }

  async ping(): Promise<void> {
    const { keeper } = this.#options;
    keeper.watch(true);
    try {
      await keeper.ping();
    } finally {
      keeper.watch(this.busy);
    }
  }

  /** The container's end is known where it is brought about; there is nothing to ignore. */
  ignoreEnd(): void {
    this.#options.keeper.watch(false);
  }

  end(error: SandboxError): void {
    if (this.#over !== undefined) return;
    this.#over = error;
    this.#use(false);
    for (const { timer } of this.#waiting.values()) clearTimeout(timer);
    this.#options.keeper.end(error);
    this.#options.files.end();
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const call of calls) call.lost(error);
    this.#options.onLost(error);
  }

  #use(busy: boolean): void {
    this.#options.keeper.watch(busy);
    this.#options.used(busy);
  }

  #answer(message: AgentMessage, body: Uint8Array = NOTHING): void {
    if (!('id' in message)) return;
    const call = this.#calls.get(message.id);
    if (call === undefined || !call.receive(message, body)) return;
    this.#calls.delete(message.id);
    if (this.#calls.size === 0) this.#use(false);
  }

  #execSpec({ command, argv, cwd, env, timeoutMs, stream }: ExecMessage, stdin: Uint8Array): CommandSpec {
    const spec = { cwd, env: { ...this.#options.env, ...env }, timeoutMs, flow: stream, stdin };
    if (argv !== undefined) return { ...spec, argv };
    const script = Buffer.from(command ?? '', 'utf8');
    if (script.length < LONG_COMMAND_BYTES) return { ...spec, argv: [...this.#options.shell, command ?? ''] };
    // Read exactly, for what follows is the command's own input; the quotes of `eval` keep its line ends.
    return {
      ...spec,
      argv: [
        ...this.#options.shell,
        LONG_COMMAND,
        this.#options.shell[0] ?? 'sh',
        String(Math.floor(script.length / 4096)),
        String(script.length % 4096),
      ],
      stdin: Buffer.concat([script, stdin]),
    };
  }

  #spawnSpec({ argv, cwd, env, timeoutMs }: SpawnMessage): CommandSpec {
    return { argv, cwd, env: { ...this.#options.env, ...env }, timeoutMs, flow: true, stdin: undefined };
  }

  #enter(id: number, spec: CommandSpec): void {
    if (this.#commands.size < this.#options.maxRunning) return this.#start(id, spec);
    // The time a command waits is part of the time it was given.
    const timer =
      spec.timeoutMs === undefined ? undefined : setTimeout(() => this.#giveUp(id, 'timeout'), spec.timeoutMs);
    this.#waiting.set(id, { spec, arrived: performance.now(), timer });
  }

  #start(id: number, spec: CommandSpec): void {
    const around = { ...this.#options.around, running: () => this.#commands.size };
    const command = new ExecCommand(id, spec, { around, answer: (message, body) => this.#answer(message, body) });
    this.#commands.set(id, command);
    void command.ended.then(() => {
      this.#commands.delete(id);
      this.#startNext();
    });
  }

  #startNext(): void {
    const [next] = this.#waiting;
    if (next === undefined || this.#over !== undefined || this.#commands.size >= this.#options.maxRunning) return;
    const [id, { spec, arrived, timer }] = next;
    this.#waiting.delete(id);
    clearTimeout(timer);
    const left = spec.timeoutMs === undefined ? undefined : Math.max(1, spec.timeoutMs - (performance.now() - arrived));
    this.#start(id, { ...spec, timeoutMs: left });
  }

  async #signal(id: number, signal: 'SIGTERM' | 'SIGKILL' | 'SIGINT'): Promise<void> {
    const delivered =
      (await this.#commands
        .get(id)
        ?.signal(signal)
        .catch(() => false)) ?? false;
    this.#answer({ type: 'signalled', id, delivered });
  }

  #cancel(id: number): void {
    if (this.#waiting.has(id)) this.#giveUp(id, 'aborted');
    this.#commands.get(id)?.stop('aborted');
    this.#options.files.cancel(id);
  }

  #giveUp(id: number, cause: 'timeout' | 'aborted'): void {
    clearTimeout(this.#waiting.get(id)?.timer);
    if (!this.#waiting.delete(id)) return;
    this.#answer({
      type: 'exec-result',
      id,
      exitCode: null,
      cause,
      killed: 'verified',
      stdoutBytes: 0,
      droppedStdoutBytes: 0,
      droppedStderrBytes: 0,
    });
  }
}

const LONG_COMMAND = [
  '__caisson=$({ [ "$1" -eq 0 ] || dd bs=4096 count="$1" iflag=fullblock; [ "$2" -eq 0 ] || dd bs="$2" count=1 iflag=fullblock; } 2>/dev/null; echo .)',
  '__caisson=${__caisson%.}',
  'set --',
  'eval "$__caisson"',
].join('\n');
