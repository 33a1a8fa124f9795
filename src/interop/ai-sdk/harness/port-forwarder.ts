import { createServer, type Server, type Socket } from 'node:net';
import { Readable, Writable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { Sandbox } from '../../../sandbox/contract.js';
import { MAX_TIMEOUT_MS } from '../../../sandbox/limits.js';

/** Runs inside: one connection, over its own stdin and stdout. */
const RELAY =
  "const socket = require('node:net').connect(Number(process.argv[1]), '127.0.0.1'); process.stdin.pipe(socket).pipe(process.stdout); socket.on('error', () => process.exit(1));";

/**
 * Ports inside a sandbox, reached from this machine though the sandbox has no network: each connection to a port of
 * 127.0.0.1 here is carried by a process in there.
 */
export class PortForwarder {
  readonly #sandbox: Sandbox;
  readonly #servers = new Map<number, Promise<Server>>();
  readonly #sockets = new Set<Socket>();

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  /** The port here that leads to `port` in there. */
  async portOf(port: number): Promise<number> {
    const listening = this.#servers.get(port) ?? this.#listen(port);
    this.#servers.set(port, listening);
    const address = (await listening).address();
    if (address === null || typeof address === 'string') throw new Error(`Cannot forward port ${port}: it was closed`);
    return address.port;
  }

  async close(): Promise<void> {
    const servers = await Promise.all(this.#servers.values());
    this.#servers.clear();
    for (const server of servers) server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #listen(port: number): Promise<Server> {
    const server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket));
      this.#carry(port, socket).catch(() => socket.destroy());
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject).listen(0, '127.0.0.1', resolve).unref();
    await promise;
    return server;
  }

  async #carry(port: number, socket: Socket): Promise<void> {
    const relay = await this.#sandbox.spawn('node', ['-e', RELAY, String(port)], { timeoutMs: MAX_TIMEOUT_MS });
    const end = () => void relay.kill('SIGKILL').catch(() => {});
    if (relay.stdin === undefined || socket.destroyed) {
      socket.destroy();
      return end();
    }
    socket.once('close', end);
    socket.pipe(Writable.fromWeb(relay.stdin)).on('error', () => socket.destroy());
    Readable.fromWeb(relay.stdout as NodeReadableStream)
      .on('error', () => socket.destroy())
      .pipe(socket);
  }
}
