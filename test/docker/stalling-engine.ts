import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface StallingEngine extends AsyncDisposable {
  /** As `DOCKER_HOST` spells it. */
  host: string;
  /** Takes requests from now on and does nothing with them. */
  stall(): void;
  /** Does what it was asked meanwhile, and goes on. */
  goOn(): void;
}

/** Stands before a real engine, and stops answering when it is told to, as one does whose disk is slow or whose lock is held. */
export async function stallingEngine(socketPath: string): Promise<StallingEngine> {
  const directory = await mkdtemp(join(tmpdir(), 'caisson-stall-'));
  const path = join(directory, 'docker.sock');
  const open = new Set<Socket>();
  let stalled = false;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const engine = connect({ path: socketPath, allowHalfOpen: true });
    for (const [from, to] of [
      [client, engine],
      [engine, client],
    ] as const) {
      open.add(from);
      from.on('data', (data) => to.write(data));
      from.on('end', () => to.end());
      from.on('error', () => {});
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
    if (stalled) client.pause();
  });
  server.listen(path);
  await once(server, 'listening');
  return {
    host: `unix://${path}`,
    stall() {
      stalled = true;
      for (const socket of open) socket.pause();
    },
    goOn() {
      stalled = false;
      for (const socket of open) socket.resume();
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of open) socket.destroy();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
