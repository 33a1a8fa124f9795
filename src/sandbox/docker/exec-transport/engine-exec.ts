import type { Duplex } from 'node:stream';
import type Docker from 'dockerode';
import { SandboxCrashedError, SandboxError } from '../../errors.js';
import { statusOf } from '../agent/container-transport.js';
import { Demultiplexer } from '../agent/demultiplex.js';

export interface ExecSpec {
  /** `uid:gid` */
  user: string;
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
}

export interface ExecListener {
  /** Whether pieces are held on to after `data` has returned. If not, their memory is given back at once, so that a flood does not wait for the collector. */
  keeps: boolean;
  data(stream: 'stdout' | 'stderr', chunk: Uint8Array): void;
  /** Once. All who held the streams are gone, or the connection is: it says nothing of the command. */
  ended(): void;
}

/** One process that the engine starts in the container, with its streams. */
export class EngineExec {
  readonly #exec: Docker.Exec;
  readonly #stream: Duplex;

  /** @throws SandboxCrashedError when the container is gone; SandboxError `session_limit`, `pids_exhausted` */
  static async start(container: Docker.Container, { user, argv, env }: ExecSpec): Promise<EngineExec> {
    try {
      const exec = await container.exec({
        Cmd: [...argv],
        User: user,
        WorkingDir: '/',
        Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
        AttachStdin: true,
        AttachStdout: true,
        AttachStderr: true,
        Tty: false,
      });
      return new EngineExec(exec, (await exec.start({ hijack: true, stdin: true })) as Duplex);
    } catch (error) {
      throw startError(error);
    }
  }

  private constructor(exec: Docker.Exec, stream: Duplex) {
    this.#exec = exec;
    this.#stream = stream;
    stream.on('error', () => {});
  }

  listen(listener: ExecListener): void {
    let open = true;
    const close = () => {
      if (!open) return;
      open = false;
      listener.ended();
    };
    const demultiplexer = new Demultiplexer((stream, data) => listener.data(stream, data));
    this.#stream.on('data', (chunk: Uint8Array) => {
      try {
        if (open) demultiplexer.push(chunk);
        if (!listener.keeps) giveBack(chunk);
      } catch {
        close();
        this.#stream.destroy();
      }
    });
    this.#stream.once('end', close);
    this.#stream.once('close', close);
    this.#stream.once('error', close);
  }

  /** @param taken called when the engine has taken the bytes, or nobody will */
  write(bytes: Uint8Array, taken?: () => void): void {
    if (!this.#stream.writable) taken?.();
    else this.#stream.write(bytes, () => taken?.());
  }

  /** Half-closes: the process reads to the end. */
  endInput(): void {
    if (this.#stream.writable) this.#stream.end();
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  /** Lets go of the streams; the process goes on. The host does not wait for it any more. */
  release(): void {
    this.#stream.resume();
    (this.#stream as Partial<{ unref(): void }>).unref?.();
  }

  destroy(): void {
    this.#stream.destroy();
  }

  /** What the engine says of its end; `undefined` while it runs. It lies when the streams were cut, so it is asked only after they ended. */
  async exitCode(): Promise<number | undefined> {
    const { Running, ExitCode } = await this.#exec.inspect();
    return Running || ExitCode === null ? undefined : ExitCode;
  }
}

function giveBack({ buffer, byteLength }: Uint8Array): void {
  // One that is shared with others is not ours to give.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

function startError(error: unknown): SandboxError {
  const status = statusOf(error);
  const message = (error as Error).message;
  if (/resource temporarily unavailable|cannot allocate|pids/i.test(message)) {
    return new SandboxError(
      'pids_exhausted',
      'Cannot start the command: no more processes are allowed. Wait for others to end, or end them',
    );
  }
  if (status === 409 && /paused/i.test(message)) {
    return new SandboxCrashedError('The container was paused and starts nothing. Unpause it, or start a new sandbox');
  }
  if (status === undefined || status === 404 || status === 409) {
    return new SandboxCrashedError('The container is gone, or the engine stopped answering. Make the call again');
  }
  return new SandboxError('session_limit', 'Cannot start the command: the engine could not start another process');
}
