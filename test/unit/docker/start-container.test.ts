import type { RequestListener } from 'node:http';
import { expect, it } from 'vitest';
import { createDockerSandbox } from '../../../src/sandbox/docker/create-docker-sandbox.js';
import { fakeEngine } from './fake-engine.js';

/** As Podman 4.3 answers. */
const podman: RequestListener = (request, response) => {
  const [status, body] = request.url?.startsWith('/containers/create')
    ? [500, { message: 'container create: unknown mount option "nr_inodes=100000": invalid mount option' }]
    : [200, { Version: '4.3.1', Components: [{ Name: 'Podman Engine' }] }];
  response.writeHead(status as number, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

it('an engine that cannot limit a file system in memory is refused with the option it lacks and what to use', async () => {
  await using engine = await fakeEngine(podman);
  await using session = createDockerSandbox({ engine: engine.host });
  await expect(session.start()).rejects.toMatchObject({
    code: 'unsupported',
    message: expect.stringMatching(/option 'nr_inodes' .* Use Docker's engine, or the isolate sandbox$/),
  });
});
