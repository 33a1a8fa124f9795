import { Socket } from 'node:net';
import { startFileHelper } from './start-file-helper.js';

/**
 * The entry of a bundle of its own: most of the code is file work, which the agent never does itself and need not load
 * before it is ready.
 */
export function start(rest: Uint8Array): void {
  if (rest.length > 0) process.stdin.unshift(rest);
  startFileHelper(process.stdin, new Socket({ fd: 1, readable: false, writable: true }));
}
