import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
export const FIXTURES = fileURLToPath(new URL('fixtures/', import.meta.url));

export interface RawServer extends AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  readonly pid: number;
  /** Every line of stdout so far. */
  readonly lines: string[];
  readonly stderr: () => string;
  readonly exit: Promise<number | null>;
  write(text: string | Buffer): void;
  send(message: object): void;
  /** The first line that `matches`, from the line `from` on. */
  next(matches: (message: Record<string, unknown>) => boolean, from?: number): Promise<Record<string, unknown>>;
  /** Sends a request and waits for its answer. */
  request(id: number, method: string, params?: object): Promise<Record<string, unknown>>;
  initialize(capabilities?: object): Promise<Record<string, unknown>>;
}

/** Starts a stdio server as a child process and talks to it by hand. */
export function startRawServer(args: readonly string[]): RawServer {
  if (!existsSync(CLI)) throw new Error('Nothing is built: run npm run build first');
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const lines: string[] = [];
  const listeners = new Set<() => void>();
  let rest = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    for (const listener of listeners) listener();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-20_000);
  });
  child.stdin.on('error', () => {});
  const { promise: exit, resolve } = Promise.withResolvers<number | null>();
  child.once('exit', (code) => resolve(code));

  const next: RawServer['next'] = (matches, from = 0) => {
    const { promise, resolve: found, reject } = Promise.withResolvers<Record<string, unknown>>();
    let seen = from;
    const look = () => {
      for (; seen < lines.length; seen += 1) {
        const message = JSON.parse(lines[seen] ?? 'null') as Record<string, unknown>;
        if (!matches(message)) continue;
        listeners.delete(look);
        return found(message);
      }
    };
    listeners.add(look);
    void exit.then((code) => reject(new Error(`The server exited with ${code}: ${errors}`)));
    look();
    return promise;
  };
  const write = (text: string | Buffer) => void child.stdin.write(text);
  const send = (message: object) => write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request: RawServer['request'] = (id, method, params = {}) => {
    const from = lines.length;
    send({ id, method, params });
    return next((message) => message.id === id && message.method === undefined, from);
  };
  return {
    child,
    pid: child.pid ?? 0,
    lines,
    stderr: () => errors,
    exit,
    write,
    send,
    next,
    request,
    initialize: async (capabilities = {}) => {
      const clientInfo = { name: 'hand', version: '1' };
      const answer = await request(1, 'initialize', { protocolVersion: '2025-06-18', capabilities, clientInfo });
      send({ method: 'notifications/initialized' });
      return answer;
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await exit;
    },
  };
}
