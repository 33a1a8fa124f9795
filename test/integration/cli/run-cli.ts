import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
  pid: number;
  /** Every process it started while it ran, as pid and start time. */
  descendants: ProcessId[];
}

export interface ProcessId {
  pid: number;
  startTime: string;
}

export interface CliOptions {
  input?: string;
  cwd?: string;
  env?: Record<string, string>;
  /** Node options before the script. */
  nodeArgs?: string[];
  /** Called with the pid at once. */
  onStart?: (pid: number) => void;
  /** Called with the pid once, when `until` first appears in the output. */
  when?: { until: string; act: (pid: number) => void };
}

/** Runs the built command line as a child process. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  if (!existsSync(CLI)) throw new Error('Nothing is built: run npm run build first');
  const child = spawn(process.execPath, [...(options.nodeArgs ?? []), CLI, ...args], {
    cwd: options.cwd,
    env: { ...withoutColor(), ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const pid = child.pid ?? 0;
  options.onStart?.(pid);
  const seen = new Map<number, ProcessId>();
  const watch = setInterval(() => collectDescendants(pid, seen), 15);
  const output = { stdout: '', stderr: '' };
  let { when } = options;
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
      if (when === undefined || !(output.stdout + output.stderr).includes(when.until)) return;
      const { act } = when;
      when = undefined;
      collectDescendants(pid, seen);
      act(pid);
    });
  }
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on('error', reject).on('close', (code) => resolve(code));
  try {
    const code = await promise;
    return { code, ...output, pid, descendants: [...seen.values()] };
  } finally {
    clearInterval(watch);
  }
}

/** Those of `processes` that still run after a moment's grace. */
export async function survivors(processes: readonly ProcessId[]): Promise<number[]> {
  for (let round = 0; round < 40; round += 1) {
    const alive = processes.filter(({ pid, startTime }) => startTimeOf(pid) === startTime);
    if (alive.length === 0) return [];
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return processes.filter(({ pid, startTime }) => startTimeOf(pid) === startTime).map(({ pid }) => pid);
}

/** Private directories that the process with this pid left behind. */
export function privateDirectoriesOf(pid: number): string[] {
  return ['/dev/shm', '/tmp'].flatMap((parent) =>
    existsSync(parent) ? readdirSync(parent).filter((name) => name.startsWith(`caisson-session-${pid}-`)) : [],
  );
}

function withoutColor(): Record<string, string> {
  const { FORCE_COLOR: _, ...env } = process.env;
  return env as Record<string, string>;
}

function collectDescendants(pid: number, seen: Map<number, ProcessId>): void {
  for (const child of childrenOf(pid)) {
    const startTime = startTimeOf(child);
    if (startTime !== undefined) seen.set(child, { pid: child, startTime });
    collectDescendants(child, seen);
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

/** `undefined` for a process that is gone or a zombie. */
function startTimeOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
