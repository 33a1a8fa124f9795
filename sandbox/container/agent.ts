import { Socket } from 'node:net';
import { startFileHelper } from './files/start-file-helper.js';
import { startAgent } from './start-agent.js';

/**
 * The one entry of the agent's bundle; the loader calls it with what came after the source, and with the source itself
 * as it came, for the helper processes that the agent starts from it.
 */
export function start(rest: Uint8Array, source: Uint8Array): void {
  // Ours, not `process.stdout`: that one blocks the whole process when nobody reads.
  const output = new Socket({ fd: 1, readable: false, writable: true });
  if (rest.length > 0) process.stdin.unshift(rest);
  if (process.argv.includes('files')) startFileHelper(process.stdin, output);
  else startAgent(process.stdin, output, source);
}
