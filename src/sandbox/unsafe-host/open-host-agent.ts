import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { statSync } from 'node:fs';
import { chmod, chown, mkdir } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { LOADER, PROTOCOL_VERSION } from '../../../sandbox/protocol/container.js';
import { agentCode, fileHelperCode } from '../docker/agent/agent-code.js';
import { FramedConnection } from '../docker/agent/agent-connection.js';
import { ChildTransport } from '../docker/agent/child-transport.js';
import { LocalTree } from '../docker/agent/local-tree.js';
import { baseEnvironment } from '../docker/container/base-environment.js';
import type { SessionUser } from '../docker/container/session-user.js';
import type { OpenAgent } from '../docker/open-agent.js';
import { fillCopy } from '../docker/overlay/copied-workspace.js';
import { type SandboxError, SandboxUnavailableError } from '../errors.js';
import { KILL_GRACE_MS } from '../limits.js';
import type { EnforcementPlan } from '../plan.js';
import { createPrivateDirectory } from '../private-directory.js';
import { openWorkspaceDirectory, type WorkspaceDirectory } from '../workspace-directory.js';
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
    settings.mode === 'overlay' && workspace !== undefined
      ? await LocalTree.open(workspace.path, workspace)
      : undefined;
  const own = createPrivateDirectory({ kind: 'host', parent: process.env.CAISSON_RUN_DIRECTORY ?? '/var/tmp' });
  const run = own.path;
  const user = chooseHostUser(settings, workspace);
  await openToUser(run, user);
  const bound = settings.mode === 'direct' && workspace !== undefined ? workspace.path : '';
  const owner = `uid=${user.uid},gid=${user.gid}`;
  // Node may itself lie in what the fresh `/tmp` hides, so it is run under a name of the run directory.
  const node = join(run, 'node');
  const agent = [node, '-e', LOADER, 'agent'];
  const preparation = ['/bin/sh', '-c', PREPARE, 'sh', bound, owner, node, process.execPath];
  const child = spawn('unshare', [...NAMESPACES, ...preparation, ...agent], {
    cwd: '/',
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const transport = new ChildTransport(child, async () => {
    await origin?.close();
    own.remove();
  });
  const connection = new FramedConnection(transport, onLost);
  try {
    connection.sendRaw(agentCode());
    connection.send(
      {
        type: 'init',
        version: PROTOCOL_VERSION,
        ...user,
        env: { ...baseEnvironment(openPath(process.env.PATH ?? ''), 'full'), ...settings.env },
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
      },
      fileHelperCode(),
    );
    const ready = await Promise.race([connection.ready, unready()]);
    if (origin === undefined) return { connection, transport, ready };
    const overlay = await fillCopy(connection, { origin, found: await origin.scan(plan, true), plan });
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
  'if [ -n "$1" ]; then mount --bind "$1" /workspace; else mount -t tmpfs -o "mode=755,$2" tmpfs /workspace; fi',
  ': > "$3"',
  'mount --bind "$4" "$3"',
  'mount -t tmpfs -o "mode=755,$2" tmpfs /home/agent',
  'mount -t tmpfs -o mode=1777 tmpfs /tmp',
  'shift 4',
  // The shell stays as the first process: it reaps what commands leave, which Node would not.
  'exec 3<&0',
  '"$@" <&3 3<&- &',
  'exec 3<&-',
  'wait $!',
].join('\n');

async function unready(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  setTimeout(() => reject(new Error('The agent did not answer in time')), READY_PATIENCE_MS).unref();
  return promise;
}

/** A host that is root gives commands a user of their own, for the mode bits of files to mean something. */
function chooseHostUser(settings: UnsafeHostSettings, workspace: WorkspaceDirectory | undefined): SessionUser {
  const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  if (own.uid !== 0) return { uid: 0, gid: 0 };
  if (settings.mode === 'direct') return workspace === undefined ? own : { uid: workspace.uid, gid: workspace.gid };
  return { uid: 20_000 + randomInt(2_000), gid: 20_000 };
}

/** The agent's directory stays its own; file work, which is the user's, has one beside it. */
async function openToUser(run: string, user: SessionUser): Promise<void> {
  await mkdir(join(run, 'files'), { mode: 0o700 });
  if (process.getuid?.() !== 0) return;
  await chmod(run, 0o711);
  await chown(join(run, 'files'), user.uid, user.gid);
}

/** Directories of PATH that any user may enter: one that is closed turns 'no such program' into 'permission denied'. */
function openPath(path: string): string {
  const isOpen = (directory: string): boolean => {
    if (directory === '/') return true;
    const stats = statSync(directory, { throwIfNoEntry: false });
    return stats !== undefined && (stats.mode & 0o001) !== 0 && isOpen(dirname(directory));
  };
  return path
    .split(':')
    .filter((directory) => isAbsolute(directory) && isOpen(directory))
    .join(':');
}
