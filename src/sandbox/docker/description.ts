import type { SandboxCapabilities } from '../contract.js';
import { WORKSPACE_WORDS } from '../workspace-words.js';
import type { ReadyMessage } from './agent/agent-connection.js';
import type { DockerSettings } from './options.js';

export type OverlayForm = SandboxCapabilities['overlay'];

/** What is known of a session once it has started. */
export interface Started {
  ready?: ReadyMessage | undefined;
  overlay?: OverlayForm;
}

/** What a session can do. Before it has started it is what every image gives. */
export function dockerCapabilities(settings: DockerSettings, { ready, overlay }: Started = {}): SandboxCapabilities {
  const disk = hasDiskLimit(settings, overlay);
  return {
    isolation: isMicrovm(settings.runtime) ? 'microvm' : 'container',
    ...(ready === undefined ? {} : { transport: ready.transport ?? 'agent' }),
    shell: ready?.shell ?? 'bash',
    network: settings.network,
    workspaceMode: settings.mode,
    ...(overlay === undefined ? {} : { overlay }),
    backgroundProcesses: true,
    signals: true,
    fileModes: true,
    specialFiles: true,
    writableStdin: true,
    evaluate: false,
    snapshots: settings.mode !== 'direct',
    users: settings.user !== 'root',
    limits: {
      timeoutMs: true,
      memoryBytes: true,
      maxProcesses: true,
      // What `direct` writes to the workspace is on the user's own disk.
      maxDiskBytes: disk,
      maxDiskEntries: disk,
      maxOutputBytes: true,
    },
  };
}

/** What an overlay volume keeps is on the host's disk, where nothing limits it. */
function hasDiskLimit({ mode, overlay: wanted }: DockerSettings, overlay: OverlayForm): boolean {
  return mode !== 'overlay' || (overlay ?? wanted) === 'copy';
}

function isMicrovm(runtime: string | undefined): boolean {
  return runtime !== undefined && /kata|firecracker/.test(runtime);
}

const MiB = 1024 * 1024;

export function describeDocker(settings: DockerSettings, { ready, overlay }: Started = {}): string {
  const { limits, network, mode } = settings;
  return [
    `A Linux container with ${ready?.shell === 'sh' ? 'sh (no bash)' : 'bash'}${ready === undefined || ready.tools.length === 0 ? '' : `; found: ${ready.tools.join(', ')}`}.`,
    network === 'none'
      ? 'There is no network: what must be downloaded is installed by `setup`, before the first command.'
      : 'There is a network.',
    'Commands run without privileges; the system is read-only. There is nobody to answer a prompt, and stdin is at its end unless given.',
    WORKSPACE_WORDS[mode],
    ...(hasDiskLimit(settings, overlay)
      ? []
      : ['What is written in /workspace takes room on the host, without a limit of its own.']),
    '/tmp and /home/agent can be written too. Every command starts in /workspace with a fresh environment; background processes outlive their command.',
    `Limits: ${limits.timeoutMs / 1000} s a command unless a call asks for more (at most 600 s), ${Math.round(limits.memoryBytes / MiB)} MiB of memory, ${limits.maxProcesses} processes, ${Math.round(limits.maxDiskBytes / MiB)} MiB for files kept in memory.`,
  ].join('\n');
}
