/**
 * `caisson/unsafe-host`: runs commands on this very machine. Nothing is isolated.
 * @module
 */
export { createUnsafeHostSandbox } from './sandbox/unsafe-host/create-unsafe-host-sandbox.js';
export type { UnsafeHostOptions } from './sandbox/unsafe-host/options.js';
