import type { SandboxSession } from '../contract.js';
import { IsolateSession } from './isolate-session.js';
import { type IsolateSandboxOptions, readOptions } from './options.js';

/**
 * A sandbox inside this machine's own processes: a bash interpreter and JavaScript in a V8 isolate, in a worker
 * process of its own. Nothing to install, no root, no Docker. Nothing is started before the first call.
 *
 * @throws TypeError for an unknown option or a value that cannot be
 * @example
 * await using sandbox = createIsolateSandbox({ workspace: '.', workspaceMode: 'overlay' });
 * const { stdout } = await sandbox.exec('ls | head -3');
 */
export function createIsolateSandbox(options: IsolateSandboxOptions = {}): SandboxSession {
  return new IsolateSession(readOptions(options));
}
