import { whole } from '../../checks/kinds.js';
import { checkOptions, shapeOf } from '../../checks/options.js';
import type { Sandbox } from '../../sandbox/contract.js';
import { MAX_TIMEOUT_MS } from '../../sandbox/limits.js';
import { bashToolForm } from './bash-tool-form.js';
import { runCommand } from './run-command.js';
import { sandboxFileMethods } from './sandbox-file-methods.js';
import { sandboxTwins } from './sandbox-twins.js';
import type { AiSdkSandboxSession, BashToolSandbox } from './sandbox-types.js';
import { spawnCommand } from './spawn-command.js';

export interface ToAiSdkSandboxOptions {
  /** Milliseconds a command may take; the AI SDK has no such option of its own. Default 120,000 for `run`, 600,000 for `spawn`. */
  timeoutMs?: number;
}

const OPTIONS = shapeOf<ToAiSdkSandboxOptions>({ timeoutMs: whole(1, MAX_TIMEOUT_MS) });

/**
 * A sandbox as the AI SDK 7's `Experimental_SandboxSession`, and as what `bash-tool` takes. Relative paths start at
 * `/workspace`; commands start clean each time. Starting and ending the sandbox stays with whoever made it.
 *
 * @throws TypeError for an unknown option
 * @example
 * const sandbox = createIsolateSandbox({ workspace: '.' });
 * await generateText({ model, tools, experimental_sandbox: toAiSdkSandbox(sandbox), prompt });
 */
export function toAiSdkSandbox(
  sandbox: Sandbox,
  options: ToAiSdkSandboxOptions = {},
): AiSdkSandboxSession & BashToolSandbox {
  checkOptions('toAiSdkSandbox', options, OPTIONS);
  const known = options.timeoutMs === undefined ? sandboxTwins.sessionOf(sandbox) : undefined;
  if (known !== undefined) return known as AiSdkSandboxSession & BashToolSandbox;
  const files = sandboxFileMethods(sandbox);
  const session: AiSdkSandboxSession = {
    get description() {
      return sandbox.description;
    },
    run: (command) => runCommand(sandbox, command, options),
    spawn: ((command: Parameters<typeof spawnCommand>[1]) =>
      spawnCommand(sandbox, command, options)) as AiSdkSandboxSession['spawn'],
    ...files,
  };
  const both = Object.assign(session, bashToolForm(session));
  sandboxTwins.pair(sandbox, both, { isDefault: options.timeoutMs === undefined });
  return both;
}
