import { readFileSync } from 'node:fs';
import { guestPath } from './guest-path.js';

let found: Buffer | undefined;

/**
 * The agent's bundle with its length before it, as the loader reads it.
 * @throws SandboxUnavailableError when the package was not built
 */
export function agentCode(): Buffer {
  found ??= prefixed(readFileSync(guestPath('agent.cjs')));
  return found;
}

function prefixed(source: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(source.length);
  return Buffer.concat([length, source]);
}
