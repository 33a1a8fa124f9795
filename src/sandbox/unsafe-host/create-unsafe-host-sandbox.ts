import { randomUUID } from 'node:crypto';
import type { SandboxCapabilities, SandboxSession, WorkspaceMode } from '../contract.js';
import { AgentSession } from '../docker/agent-session.js';
import { openHostAgent } from './open-host-agent.js';
import { readOptions, type UnsafeHostOptions, type UnsafeHostSettings } from './options.js';

/**
 * NOT a sandbox: commands run on this very machine, as its own user, with its network and its files. Only for a machine
 * that is itself disposable (a CI job, a throw-away virtual machine). Never chosen by `auto`. It speaks the same
 * protocol to the same agent as the container backend, and keeps `/workspace`, killing, draining and limits of output.
 *
 * @throws TypeError for an unknown option, or a limit that cannot be held here
 * @example
 * await using session = createUnsafeHostSandbox({ workspace: '.', iKnowThatNothingIsIsolated: true });
 */
export function createUnsafeHostSandbox(options: UnsafeHostOptions): SandboxSession {
  const settings = readOptions(options);
  return new AgentSession({
    name: 'unsafe-host',
    id: randomUUID(),
    mode: settings.mode,
    env: settings.env,
    limits: settings.limits,
    plan: settings.plan,
    holdsRules: false,
    reopens: settings.mode === 'direct',
    open: (plan, onLost) => openHostAgent(settings, plan, onLost),
    describe: () => describe(settings),
    capabilities: (ready) => capabilities(settings.mode, ready?.shell ?? 'bash'),
  });
}

function capabilities(workspaceMode: WorkspaceMode, shell: 'bash' | 'sh'): SandboxCapabilities {
  return {
    isolation: 'none',
    shell,
    network: 'full',
    workspaceMode,
    backgroundProcesses: true,
    signals: true,
    fileModes: true,
    specialFiles: true,
    writableStdin: true,
    evaluate: false,
    snapshots: workspaceMode !== 'direct',
    // A host that is root gives commands another user; any other host only has its own.
    users: process.getuid?.() === 0,
    limits: {
      timeoutMs: true,
      memoryBytes: false,
      maxProcesses: false,
      maxDiskBytes: false,
      maxDiskEntries: false,
      maxOutputBytes: true,
    },
  };
}

const WORKSPACE: Record<WorkspaceMode, string> = {
  direct: 'Files are in /workspace; changes there are made on the real files.',
  overlay: 'Files are in /workspace; changes there are kept apart until they are committed.',
  memory: 'Files are in /workspace, which starts empty and is gone when the session ends.',
};

function describe({ mode, limits }: UnsafeHostSettings): string {
  return [
    'NOTHING IS ISOLATED: commands run directly on the host machine, with its network and all its files.',
    `A Linux machine with bash. ${WORKSPACE[mode]}`,
    'Every command starts in /workspace with a fresh environment; there is nobody to answer a prompt.',
    `Limits: ${limits.timeoutMs / 1000} s a command unless a call asks for more (at most 600 s).`,
  ].join('\n');
}
