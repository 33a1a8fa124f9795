import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { END_GRACE_MS, type ServerProcess, within } from './server-process.js';

/** What a server inherits of this process's environment: nothing that holds a secret as a rule. */
const INHERITED = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG'];

export interface HostProcessOptions {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string | undefined;
}

/**
 * Starts a stdio server on this machine, in a process group of its own: package runners start the real server as
 * their child.
 * @throws the system's error when it cannot be started
 */
export async function startHostProcess({ command, args, env, cwd }: HostProcessOptions): Promise<ServerProcess> {
  const inherited = INHERITED.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  const child = spawn(command, args, {
    cwd,
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const { promise: started, resolve, reject } = Promise.withResolvers<void>();
  child.once('spawn', resolve).on('error', reject);
  await started;
  return new HostProcess(child);
}

const running = new Set<HostProcess>();

function endAll(): void {
  for (const child of running) child.signal('SIGKILL');
}

class HostProcess implements ServerProcess {
  readonly output: AsyncIterable<Uint8Array>;
  readonly errors: AsyncIterable<Uint8Array>;
  readonly ended: Promise<string>;
  readonly #child: ChildProcessWithoutNullStreams;

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    this.output = child.stdout;
    this.errors = child.stderr;
    // A server that went away is heard of by its exit.
    child.stdin.on('error', () => {});
    const { promise, resolve } = Promise.withResolvers<string>();
    this.ended = promise;
    child.once('exit', (code, signal) => {
      running.delete(this);
      if (running.size === 0) process.off('exit', endAll);
      // What it left behind goes with it.
      this.signal('SIGKILL');
      resolve(signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`);
    });
    if (running.size === 0) process.once('exit', endAll);
    running.add(this);
  }

  write(text: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#child.stdin.write(text, (error) => (error ? reject(error) : resolve()));
    return promise;
  }

  async end(): Promise<void> {
    this.#child.stdin.end();
    if (await within(END_GRACE_MS, this.ended)) return;
    this.signal('SIGTERM');
    if (await within(END_GRACE_MS, this.ended)) return;
    this.signal('SIGKILL');
    await this.ended;
  }

  signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // Nobody is left in the group.
    }
  }
}
