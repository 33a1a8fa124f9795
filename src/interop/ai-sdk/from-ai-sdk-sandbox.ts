import { randomUUID } from 'node:crypto';
import type { Sandbox, SandboxCapabilities } from '../../sandbox/contract.js';
import { SandboxAbortError, SandboxTimeoutError } from '../../sandbox/errors.js';
import { sandboxTwins } from './sandbox-twins.js';
import type { AnyAiSdkSandboxSession } from './sandbox-types.js';
import { execThroughSession, spawnThroughSession } from './session-commands.js';
import { sessionFiles } from './session-files.js';
import { quoteAll } from './shell-quote.js';

/**
 * Any sandbox of the AI SDK 7 as a sandbox of a host. `/workspace` stands for the session's own base directory. What
 * older releases have no method for (`stat`, `listDirectory`, `deleteFile`) is asked of the session's shell; searching, and
 * what a shell cannot give, is refused with `unsupported`. How well it isolates is not known and promised by nothing here.
 *
 * @throws TypeError for something that is no session
 * @example
 * const host = createToolHost({ sandbox: fromAiSdkSandbox(session), tools: codingTools() });
 */
export function fromAiSdkSandbox(session: AnyAiSdkSandboxSession): Sandbox {
  if (typeof session !== 'object' || session === null || typeof session.run !== 'function') {
    throw new TypeError("Cannot use this as a sandbox: an AI SDK sandbox session has at least a 'run' method");
  }
  const known = sandboxTwins.sandboxOf(session);
  if (known !== undefined) return known;
  const files = sessionFiles(session);
  const sandbox: Sandbox = {
    name: 'ai-sdk',
    id: `ai-sdk-${randomUUID()}`,
    get description() {
      return session.description;
    },
    cwd: '/workspace',
    capabilities: capabilitiesOf(session),
    fs: files,
    async run(cmd, args, opts = {}) {
      const { stdout, stderr, exitCode, cause } = await execThroughSession(session, quoteAll([cmd, ...args]), opts);
      if (cause === 'timeout') throw new SandboxTimeoutError(`Command '${cmd}' timed out`, { stdout, stderr });
      if (cause === 'aborted') throw new SandboxAbortError(`Command '${cmd}' was aborted`, { stdout, stderr });
      return { stdout, stderr, exitCode: exitCode ?? 137 };
    },
    writeFile: (path, content) => files.writeFile(path, content),
    exec: (command, opts = {}) => execThroughSession(session, command, opts),
    spawn: (cmd, args, opts = {}) => spawnThroughSession(session, quoteAll([cmd, ...args]), opts),
  };
  sandboxTwins.pair(sandbox, session, { isDefault: true });
  return sandbox;
}

/** Nothing is promised that the interface does not have. */
function capabilitiesOf({ spawn }: AnyAiSdkSandboxSession): SandboxCapabilities {
  const canSpawn = typeof spawn === 'function';
  return {
    isolation: 'none',
    shell: 'sh',
    network: 'full',
    workspaceMode: 'direct',
    backgroundProcesses: canSpawn,
    signals: false,
    fileModes: false,
    specialFiles: false,
    writableStdin: canSpawn,
    evaluate: false,
    snapshots: false,
    users: false,
    limits: {
      timeoutMs: true,
      memoryBytes: false,
      maxProcesses: false,
      maxDiskBytes: false,
      maxDiskEntries: false,
      maxOutputBytes: false,
    },
  };
}
