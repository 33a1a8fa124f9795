import type { Sandbox, SandboxProcess } from '../../../sandbox/contract.js';
import { SandboxError } from '../../../sandbox/errors.js';
import { END_GRACE_MS, type ServerProcess, within } from './server-process.js';

export interface SandboxedProcessOptions {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string | undefined;
}

/**
 * Starts a stdio server inside a sandbox: nothing of it runs on this machine.
 * @throws SandboxError `unsupported` where the sandbox has no long-lived programs, or no input for them
 */
export async function startSandboxedProcess(
  sandbox: Sandbox,
  { command, args, env, cwd }: SandboxedProcessOptions,
): Promise<ServerProcess> {
  const child = await sandbox.spawn(command, [...args], { env: { ...env }, ...(cwd === undefined ? {} : { cwd }) });
  const { stdin } = child;
  if (stdin !== undefined) return new SandboxedProcess(child, stdin);
  await child.kill('SIGKILL');
  throw new SandboxError(
    'unsupported',
    `The sandbox '${sandbox.name}' gives programs no input, so no MCP server can run in it: use the Docker backend`,
  );
}

class SandboxedProcess implements ServerProcess {
  readonly output: AsyncIterable<Uint8Array>;
  readonly errors: AsyncIterable<Uint8Array>;
  readonly ended: Promise<string>;
  readonly #child: SandboxProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;

  constructor(child: SandboxProcess, stdin: WritableStream<Uint8Array>) {
    this.#child = child;
    this.#input = stdin.getWriter();
    this.#input.closed.catch(() => {});
    this.output = child.stdout;
    this.errors = child.stderr;
    this.ended = child.wait().then(
      ({ exitCode, cause }) =>
        exitCode === null ? `it was ended (${cause ?? 'killed'})` : `it exited with code ${exitCode}`,
      (error: unknown) => `its sandbox failed (${error instanceof Error ? error.message : String(error)})`,
    );
  }

  async write(text: string): Promise<void> {
    await this.#input.write(Buffer.from(text));
  }

  async end(): Promise<void> {
    await this.#input.close().catch(() => {});
    if (await within(END_GRACE_MS, this.ended)) return;
    await this.#child.kill('SIGTERM').catch(() => {});
    if (await within(END_GRACE_MS, this.ended)) return;
    await this.#child.kill('SIGKILL').catch(() => {});
    await within(END_GRACE_MS, this.ended);
  }
}
