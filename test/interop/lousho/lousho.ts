/** Lousho's sandbox types, as its documentation and source state them; its package is not published. */

export interface LoushoRunOptions {
  cwd?: string;
  env?: Record<string, string>;
  inheritEnv?: boolean;
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface LoushoRunResult {
  stdout: string;
  stderr: string;
  exitCode: number;
}

export interface LoushoSandboxAdapter {
  readonly name: string;
  run(cmd: string, args: string[], opts?: LoushoRunOptions): Promise<LoushoRunResult>;
  writeFile(path: string, content: string): Promise<void>;
}

/** Lousho's shell over an adapter: it knows a timeout by the message alone. */
export async function loushoShell(
  adapter: LoushoSandboxAdapter,
  command: string,
  opts: LoushoRunOptions = {},
): Promise<{ stdout: string; exitCode: number | null; timedOut: boolean; aborted: boolean }> {
  try {
    const { stdout, exitCode } = await adapter.run('sh', ['-c', command], opts);
    return { stdout, exitCode, timedOut: false, aborted: false };
  } catch (error) {
    const { name, message } = error as Error;
    const timedOut = /timed out/i.test(message);
    const aborted = name === 'AbortError' || opts.signal?.aborted === true;
    if (!timedOut && !aborted) throw error;
    return { stdout: '', exitCode: null, timedOut, aborted };
  }
}
