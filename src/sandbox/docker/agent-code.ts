import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SandboxUnavailableError } from '../errors.js';

const found = new Map<string, Buffer>();

/**
 * The agent's bundle with its length before it, as the loader reads it.
 * @throws SandboxUnavailableError when the package was not built
 */
export function agentCode(): Buffer {
  return load('agent.cjs');
}

/**
 * The same of the helper that does file work: what its own loader reads, and the body of the agent's first message.
 * @throws SandboxUnavailableError when the package was not built
 */
export function fileHelperCode(): Buffer {
  return load('file-helper.cjs');
}

function load(name: string): Buffer {
  const code = found.get(name) ?? prefixed(readFileSync(locate(name)));
  found.set(name, code);
  return code;
}

function locate(name: string): string {
  for (let at = import.meta.dirname; ; at = dirname(at)) {
    const path = [join(at, 'dist', 'guest', name), join(at, 'guest', name)].find(existsSync);
    if (path !== undefined) return path;
    if (at === dirname(at)) break;
  }
  throw new SandboxUnavailableError(
    'Cannot start the Docker sandbox: its agent is missing. Run `npm run build` or reinstall caisson',
    { code: 'sandbox_start_failed' },
  );
}

function prefixed(source: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(source.length);
  return Buffer.concat([length, source]);
}
