import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface IgnoringEngine extends AsyncDisposable {
  /** As `DOCKER_HOST` spells it. */
  host: string;
}

/** Answers for a real engine, but silently leaves a field of what a container is asked to be out, as some engines do. */
export async function ignoringEngine(socketPath: string, field: string): Promise<IgnoringEngine> {
  const directory = await mkdtemp(join(tmpdir(), 'caisson-proxy-'));
  const path = join(directory, 'docker.sock');
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const engine = connect({ path: socketPath, allowHalfOpen: true });
    engine.pipe(client);
    let create: Buffer | undefined;
    client.on('data', (data: Buffer) => {
      // Each request begins a packet of its own, and attached streams hold none.
      if (create === undefined && !data.subarray(0, 30).toString().startsWith('POST /containers/create')) {
        engine.write(data);
        return;
      }
      create = Buffer.concat([create ?? Buffer.alloc(0), data]);
      const changed = without(create, field);
      if (changed === undefined) return;
      create = undefined;
      engine.write(changed);
    });
    client.on('end', () => engine.end());
    for (const end of [client, engine]) {
      open.add(end);
      end.on('error', () => {});
      end.on('close', () => {
        open.delete(end);
        (end === client ? engine : client).destroy();
      });
    }
  });
  server.listen(path);
  await once(server, 'listening');
  return {
    host: `unix://${path}`,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const end of open) end.destroy();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** @returns the request without the field; `undefined` while it is not whole */
function without(request: Buffer, field: string): Buffer | undefined {
  const at = request.indexOf('\r\n\r\n');
  if (at === -1) return undefined;
  const head = request.subarray(0, at).toString();
  const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1]);
  const body = request.subarray(at + 4);
  if (body.length < length) return undefined;
  const asked = JSON.parse(body.toString()) as { HostConfig: Record<string, unknown> };
  delete asked.HostConfig[field];
  const changed = Buffer.from(JSON.stringify(asked));
  const newHead = head.replace(/^content-length: \d+$/im, `Content-Length: ${changed.length}`);
  return Buffer.concat([Buffer.from(`${newHead}\r\n\r\n`), changed]);
}
