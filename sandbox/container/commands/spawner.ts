import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import { getSystemErrorName } from 'node:util';
import type { AgentInit } from '../../protocol/container.js';
import type { CommandPaths, Exit, StartedCommand } from './started-command.js';

export interface SpawnerRequest {
  argv: readonly string[];
  cwd: string;
  env: Record<string, string>;
  paths: CommandPaths;
  mark: number;
}

/** What is longer goes the way on which the system says what of it is too long. */
const MAX_REQUEST_BYTES = 64 * 1024;

const SIGNALS = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name as NodeJS.Signals]));

interface Pending {
  pid: number;
  started: PromiseWithResolvers<Error | undefined>;
  exited: PromiseWithResolvers<Exit>;
}

/** Starts commands through one resident process, in less than half the time that Node and `setpriv` take for it. */
export class Spawner {
  readonly #user: Pick<AgentInit, 'uid' | 'gid'>;
  readonly #pending = new Map<number, Pending>();
  readonly #settled = Promise.withResolvers<boolean>();
  #child: ChildProcess | undefined;
  #ready = false;
  #rest = '';
  #nextId = 1;

  /**
   * Until it is ready, and where it never gets so, commands are started the other way.
   * @param argv Perl's, as `spawnerArguments` gives them
   */
  constructor(perl: string, argv: readonly string[], user: Pick<AgentInit, 'uid' | 'gid'>) {
    this.#user = user;
    const child = spawn(perl, argv, { cwd: '/', env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
    this.#child = child;
    child.stdin.on('error', () => {});
    child.stdout.setEncoding('latin1');
    child.stdout.on('data', (text: string) => this.#read(text));
    child.once('error', () => this.#lost());
    child.once('exit', () => this.#lost());
    child.unref();
    for (const stream of [child.stdin, child.stdout]) (stream as Partial<Socket>).unref?.();
  }

  /** Whether it is there, as soon as that is known. */
  get settled(): Promise<boolean> {
    return this.#settled.promise;
  }

  /** @returns undefined when this command has to be started another way */
  start(request: SpawnerRequest): StartedCommand | undefined {
    if (!this.#ready) return undefined;
    const id = this.#nextId;
    const frame = encodeRequest(id, request, this.#user);
    if (frame === undefined) return undefined;
    this.#nextId += 1;
    const pending: Pending = { pid: 0, started: Promise.withResolvers(), exited: Promise.withResolvers() };
    this.#pending.set(id, pending);
    this.#child?.stdin?.write(frame);
    return {
      mark: request.mark,
      get pid() {
        return pending.pid;
      },
      started: pending.started.promise,
      exited: pending.exited.promise,
    };
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const [event = '', id, value] = line.split(' ');
      if (event === 'ready') this.#settled.resolve(true);
      if (event === 'ready') this.#ready = true;
      else this.#settle(event, Number(id), Number(value));
    }
  }

  #settle(event: string, id: number, value: number): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    if (event === 'started') {
      pending.pid = value;
      return pending.started.resolve(undefined);
    }
    this.#pending.delete(id);
    if (event === 'ended') return pending.exited.resolve(readStatus(value));
    const error = Object.assign(new Error('The command could not be started'), { code: getSystemErrorName(-value) });
    pending.started.resolve(error);
    pending.exited.resolve({ code: null, signal: null, error });
  }

  /** How its commands end can no longer be known. Only lack of memory ends it, and then nothing here can be relied on. */
  #lost(): void {
    this.#ready = false;
    this.#settled.resolve(false);
    this.#child = undefined;
    if (this.#pending.size > 0) process.exit(1);
  }
}

function encodeRequest(
  id: number,
  { argv, cwd, env, paths, mark }: SpawnerRequest,
  { uid, gid }: Pick<AgentInit, 'uid' | 'gid'>,
): Buffer | undefined {
  const fields = [
    ...[id, uid, gid, mark].map(String),
    cwd,
    paths.stdin ?? '/dev/null',
    paths.stdout,
    paths.stderr,
    String(argv.length),
    ...argv,
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
  ];
  const lengths = fields.map((field) => Buffer.byteLength(field));
  const total = lengths.reduce((sum, length) => sum + 4 + length, 0);
  // Node refuses a zero byte; a C string would just end there.
  if (total > MAX_REQUEST_BYTES || fields.some((field) => field.includes('\0'))) return undefined;
  const frame = Buffer.allocUnsafe(4 + total);
  let at = frame.writeUInt32BE(total, 0);
  for (const [index, field] of fields.entries()) {
    at = frame.writeUInt32BE(lengths[index] ?? 0, at);
    at += frame.write(field, at);
  }
  return frame;
}

/** As wait(2) gives it. */
function readStatus(status: number): Exit {
  const signal = status & 0x7f;
  return signal === 0
    ? { code: status >> 8, signal: null }
    : { code: null, signal: SIGNALS.get(signal) ?? null, signalNumber: signal };
}
