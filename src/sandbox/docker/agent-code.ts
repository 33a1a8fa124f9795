import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SandboxUnavailableError } from '../errors.js';

let found: Buffer | undefined;

/**
 * The agent's bundle with its length before it, as the loader reads it.
 * @throws SandboxUnavailableError when the package was not built
 */
export function agentCode(): Buffer {
  found ??= load();
  return found;
}

function load(): Buffer {
  for (let at = import.meta.dirname; ; at = dirname(at)) {
    const path = join(at, 'dist', 'guest', 'agent.cjs');
    if (existsSync(path)) return prefixed(readFileSync(path));
    const beside = join(at, 'guest', 'agent.cjs');
    if (existsSync(beside)) return prefixed(readFileSync(beside));
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
