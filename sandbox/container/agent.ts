import { Socket } from 'node:net';
import { startAgent } from './start-agent.js';

/** The one entry of the agent's bundle; the loader calls it with what came after the source. */
export function start(rest: Uint8Array): void {
  if (rest.length > 0) process.stdin.unshift(rest);
  // Ours, not `process.stdout`: that one blocks the whole process when nobody reads.
  startAgent(process.stdin, new Socket({ fd: 1, readable: false, writable: true }));
}
