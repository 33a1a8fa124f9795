import { SHELL_COMMANDS } from '../../../sandbox/protocol/shell-commands.js';
import type { SandboxCapabilities, WorkspaceMode } from '../contract.js';
import type { SandboxLimits } from '../limits.js';
import { WORKSPACE_WORDS } from '../workspace-words.js';
import { ABSENT_BUILTINS, ABSENT_PROGRAMS } from './absent-commands.js';

export function isolateCapabilities(mode: WorkspaceMode): SandboxCapabilities {
  return {
    isolation: 'process',
    shell: 'just-bash',
    network: 'none',
    workspaceMode: mode,
    backgroundProcesses: false,
    signals: false,
    fileModes: false,
    specialFiles: false,
    writableStdin: false,
    evaluate: true,
    snapshots: false,
    users: false,
    limits: {
      timeoutMs: true,
      memoryBytes: true,
      // Commands are functions of one process: there is never a second one to count.
      maxProcesses: true,
      maxDiskBytes: true,
      maxDiskEntries: true,
      maxOutputBytes: true,
    },
  };
}

const MiB = 1024 * 1024;

export function describeIsolate(mode: WorkspaceMode, limits: Required<SandboxLimits>): string {
  return [
    `A bash-compatible interpreter (just-bash), not real Linux. Its programs: ${SHELL_COMMANDS.join(' ')}; and bash's builtins.`,
    `Not there: ${ABSENT_PROGRAMS.join(', ')}; of bash's builtins ${ABSENT_BUILTINS.join(', ')}; no compilers, no package managers, no network.`,
    '`&` does not run in the background: the command waits for it.',
    WORKSPACE_WORDS[mode],
    '/tmp and /home/agent can be written too; everything else is read-only. Every command starts in /workspace with a fresh environment.',
    `Limits: ${limits.timeoutMs / 1000} s a command unless a call asks for more (at most 600 s), ${Math.round(limits.memoryBytes / MiB)} MiB of memory, ${Math.round(limits.maxDiskBytes / MiB)} MiB for files kept apart.`,
  ].join('\n');
}
