import { readFileSync } from 'node:fs';
import type { Agent } from 'node:http';
import { join } from 'node:path';
import type Docker from 'dockerode';
import type { Endpoint } from './find-endpoints.js';
import { createSshAgent } from './ssh-agent.js';

/** What the client would otherwise take from the environment, which may be about another engine. */
const NOTHING = {
  host: undefined,
  port: undefined,
  socketPath: undefined,
  ca: undefined,
  cert: undefined,
  key: undefined,
};

/** How the engine's client reaches an endpoint. @throws Error for what is no address of an engine */
export function clientOptions(endpoint: Endpoint): Docker.DockerOptions {
  return { ...NOTHING, ...reach(endpoint) } as Docker.DockerOptions;
}

function reach({ host, certificates }: Endpoint): Docker.DockerOptions & { agent?: Agent } {
  if (host.startsWith('unix://')) return { protocol: 'http', socketPath: host.slice('unix://'.length) };
  if (host.startsWith('npipe://')) return { protocol: 'http', socketPath: host.slice('npipe://'.length) };
  const url = new URL(host);
  if (url.protocol === 'ssh:') return { protocol: 'http', host: url.hostname, agent: createSshAgent(url) };
  if (!['tcp:', 'http:', 'https:'].includes(url.protocol)) {
    throw new Error(
      'it is no address of an engine: those begin with unix://, tcp://, http://, https://, ssh:// or npipe://',
    );
  }
  const secure = certificates !== undefined || url.protocol === 'https:';
  const read = (name: string) => readFileSync(join(certificates ?? '', name));
  return {
    protocol: secure ? 'https' : 'http',
    host: url.hostname,
    port: url.port === '' ? (secure ? 2376 : 2375) : Number(url.port),
    ...(certificates === undefined ? {} : { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') }),
  };
}
