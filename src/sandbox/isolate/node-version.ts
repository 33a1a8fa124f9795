import { SandboxUnavailableError } from '../errors.js';

/** The majors that isolated-vm has builds for; the permission model that the worker needs is in both. */
const SUPPORTED = [24, 26];

/** @throws SandboxUnavailableError under another Node, saying which to use */
export function checkNodeVersion(version: string = process.versions.node): void {
  if (SUPPORTED.includes(Number.parseInt(version, 10))) return;
  throw new SandboxUnavailableError(
    `Cannot start the isolate sandbox under Node ${version}: it needs Node 24 or 26. Install one of them, or run \`npm install --save-dev node@24\` and start through an npm script`,
    { code: 'sandbox_start_failed' },
  );
}
