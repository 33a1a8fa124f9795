import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface FakeEngine extends AsyncDisposable {
  /** As `DOCKER_HOST` spells it. */
  host: string;
  /** Connections that are open. */
  connections(): Promise<number>;
}

/** Something that listens where an engine would. */
export async function fakeEngine(answer: RequestListener): Promise<FakeEngine> {
  const directory = await mkdtemp(join(tmpdir(), 'caisson-engine-'));
  const path = join(directory, 'docker.sock');
  const server = createServer(answer);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(path, resolve);
  await promise;
  return {
    host: `unix://${path}`,
    connections: () =>
      new Promise((settle, reject) => {
        server.getConnections((error, count) => (error === null ? settle(count) : reject(error)));
      }),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const ANSWERS = { '/version': { Version: '99.0' }, '/info': {}, '/images/json': [] };

/** Answers Docker's API as an engine without any image does. */
export const withoutImages: RequestListener = (request, response) => {
  const body = Object.entries(ANSWERS).find(([path]) => request.url?.startsWith(path))?.[1];
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body ?? { message: 'No such image' }));
};

/** Takes every request and answers none. */
export const hanging: RequestListener = () => {};
