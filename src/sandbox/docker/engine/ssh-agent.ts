import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { Duplex } from 'node:stream';

const STDERR_KEPT = 2 * 1024;

/**
 * Connects to an engine behind ssh as the Docker command does: through the machine's own `ssh`, with its configuration,
 * keys and known hosts, and `docker system dial-stdio` at the other end. Each connection is a process.
 */
export function createSshAgent(url: URL): Agent {
  const agent = new Agent();
  agent.createConnection = () => new SshSocket(sshArguments(url));
  return agent;
}

/** Nobody is there to answer a question: what is not settled by keys fails. */
export function sshArguments({ hostname, port, username }: URL): string[] {
  return [
    '-T',
    '-o',
    'BatchMode=yes',
    '-o',
    'ConnectTimeout=30',
    ...(username === '' ? [] : ['-l', decodeURIComponent(username)]),
    ...(port === '' ? [] : ['-p', port]),
    '--',
    hostname.replace(/^\[|\]$/g, ''),
    'docker system dial-stdio',
  ];
}

/** The standard streams of one `ssh`, as a socket. */
class SshSocket extends Duplex {
  readonly #child: ChildProcessWithoutNullStreams;
  #said = '';

  constructor(args: string[]) {
    super();
    this.#child = spawn('ssh', args);
    const { stdin, stdout, stderr } = this.#child;
    stdout.on('data', (chunk: Uint8Array) => {
      if (!this.push(chunk)) stdout.pause();
    });
    stderr.on('data', (chunk: Uint8Array) => {
      if (this.#said.length < STDERR_KEPT) this.#said += Buffer.from(chunk).toString('latin1');
    });
    stdin.on('error', () => {});
    this.#child.once('error', (error: NodeJS.ErrnoException) => {
      this.destroy(error.code === 'ENOENT' ? new Error('there is no `ssh` on this machine') : error);
    });
    void Promise.all([once(stdout, 'end'), once(this.#child, 'exit')]).then(
      ([, [code]]) => this.#ended(code),
      () => {},
    );
  }

  /** Whether it keeps the event loop alive. */
  ref(): this {
    for (const handle of this.#handles) handle.ref?.();
    return this;
  }

  unref(): this {
    for (const handle of this.#handles) handle.unref?.();
    return this;
  }

  override _read(): void {
    this.#child.stdout.resume();
  }

  override _write(chunk: Uint8Array, _encoding: string, done: (error?: Error | null) => void): void {
    this.#child.stdin.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.#child.stdin.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#child.kill();
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.destroy();
    done(error);
  }

  #ended(code: unknown): void {
    if (code === 0) this.push(null);
    else this.destroy(new Error(`ssh failed: ${lastLine(this.#said) ?? `exit code ${code}`}`));
  }

  get #handles() {
    const { stdin, stdout, stderr } = this.#child;
    return [this.#child, stdin, stdout, stderr] as unknown as { ref?(): void; unref?(): void }[];
  }
}

function lastLine(text: string): string | undefined {
  return text.trim().split('\n').at(-1)?.slice(0, 200) || undefined;
}
