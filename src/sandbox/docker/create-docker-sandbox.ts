import type { SandboxSession } from '../contract.js';
import { DockerSession } from './docker-session.js';
import { type DockerSandboxOptions, readOptions } from './options.js';

/**
 * A sandbox in a container of a Docker engine: real Linux, hardened, with no network unless asked for. Nothing is
 * started before the first call.
 *
 * @throws TypeError for an unknown option, a value that cannot be, or one that would weaken the sandbox
 * @example
 * await using sandbox = createDockerSandbox({ workspace: '.' });
 * const { stdout } = await sandbox.exec('git log --oneline | head -3');
 */
export function createDockerSandbox(options: DockerSandboxOptions = {}): SandboxSession {
  return new DockerSession(readOptions(options));
}
