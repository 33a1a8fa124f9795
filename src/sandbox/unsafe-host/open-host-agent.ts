import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LOADER, PROTOCOL_VERSION } from '../../../sandbox/protocol/container.js';
import { agentCode } from '../docker/agent-code.js';
import { AgentConnection } from '../docker/agent-connection.js';
import type { OpenAgent } from '../docker/agent-session.js';
import { baseEnvironment } from '../docker/base-environment.js';
import { ChildTransport } from '../docker/child-transport.js';
import { LocalTree } from '../docker/local-tree.js';
import { OverlayCopy } from '../docker/overlay-copy.js';
import { type SandboxError, SandboxUnavailableError } from '../errors.js';
import { KILL_GRACE_MS } from '../limits.js';
import type { EnforcementPlan } from '../plan.js';
import { openWorkspaceDirectory } from '../workspace-directory.js';
import type { UnsafeHostSettings } from './options.js';

const DRAIN_MS = 400;
const READY_PATIENCE_MS = 15_000;

/**
 * The agent as a child process of this one, in namespaces of its own: not to keep anything out, but so that there is a
 * `/workspace`, a fresh `/tmp` and home, and one thing to end with everything in it.
 * @throws SandboxUnavailableError where such namespaces cannot be made
 */
export async function openHostAgent(
  settings: UnsafeHostSettings,
  plan: EnforcementPlan,
  onLost: (error: SandboxError) => void,
): Promise<OpenAgent> {
  const workspace = settings.workspace === undefined ? undefined : await openWorkspaceDirectory(settings.workspace);
  const origin =
    settings.mode === 'overlay' && workspace !== undefined ? await LocalTree.open(workspace.path) : undefined;
  const run = await mkdtemp(join(process.env.CAISSON_RUN_DIRECTORY ?? '/var/tmp', 'caisson-host-'));
  const bound = settings.mode === 'direct' && workspace !== undefined ? workspace.path : '';
  const child = spawn(
    'unshare',
    [...NAMESPACES, '/bin/sh', '-c', PREPARE, 'sh', bound, process.execPath, '-e', LOADER, 'agent'],
    {
      cwd: '/',
      env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  );
  const transport = new ChildTransport(child, async () => {
    await origin?.close();
    await rm(run, { recursive: true, force: true });
  });
  const connection = new AgentConnection(transport, onLost);
  try {
    connection.sendRaw(agentCode());
    connection.send({
      type: 'init',
      version: PROTOCOL_VERSION,
      uid: process.getuid?.() ?? 0,
      gid: process.getgid?.() ?? 0,
      env: { ...baseEnvironment(process.env.PATH), ...settings.env },
      plan,
      hardMs: settings.hardLifeMs,
      graceMs: KILL_GRACE_MS,
      drainMs: DRAIN_MS,
      maxRunning: 256,
      network: 'full',
      startedEmpty: settings.mode === 'memory',
      workspace: '/workspace',
      runDirectory: join(run, 'agent'),
      scratchDirectory: join(run, 'files'),
    });
    const ready = await Promise.race([connection.ready, unready()]);
    if (origin === undefined) return { connection, transport, ready };
    const overlay = new OverlayCopy(origin, connection, plan);
    await overlay.fill(await origin.scan(plan, true));
    return { connection, transport, ready, overlay };
  } catch (cause) {
    await transport.destroy();
    throw new SandboxUnavailableError(
      "Cannot start the agent on this machine: it needs Linux, root (or user namespaces) and util-linux's `unshare`",
      { code: 'sandbox_start_failed', cause },
    );
  }
}

const NAMESPACES = [
  ...(process.getuid?.() === 0 ? [] : ['--map-root-user']),
  '--mount',
  '--propagation',
  'private',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
];

/** In the mount namespace only: the machine keeps its own `/workspace`, if it has one, and gets an empty one if not. */
const PREPARE = [
  'set -e',
  'mkdir -p /workspace /home/agent',
  'if [ -n "$1" ]; then mount --bind "$1" /workspace; else mount -t tmpfs -o mode=755 tmpfs /workspace; fi',
  'mount -t tmpfs -o mode=755 tmpfs /home/agent',
  'mount -t tmpfs -o mode=1777 tmpfs /tmp',
  'shift',
  'exec "$@"',
].join('\n');

async function unready(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  setTimeout(() => reject(new Error('The agent did not answer in time')), READY_PATIENCE_MS).unref();
  return promise;
}
