import { readFileSync } from 'node:fs';
import { guestPath } from './guest-path.js';

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

/**
 * The same of the name guard, which runs on this machine.
 * @throws SandboxUnavailableError when the package was not built
 */
export function nameGuardCode(): Buffer {
  return load('name-guard.cjs');
}

function load(name: string): Buffer {
  const code = found.get(name) ?? prefixed(readFileSync(guestPath(name)));
  found.set(name, code);
  return code;
}

function prefixed(source: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(source.length);
  return Buffer.concat([length, source]);
}
