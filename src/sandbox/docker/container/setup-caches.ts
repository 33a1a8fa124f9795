import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type Docker from 'dockerode';
import { SandboxUnavailableError } from '../../errors.js';
import type { AgentConnection } from '../agent/agent-connection.js';
import type { Engine } from '../engine/engine.js';
import { cacheLabels } from '../engine/labels.js';
import { runInside } from './session-network.js';
import type { SessionUser } from './session-user.js';

export const CACHE_KINDS = ['npm', 'pip'] as const;
export type CacheKind = (typeof CACHE_KINDS)[number];

/** Its own file system, and the one door to what is mounted below: closing it to others closes all of that. */
export const CACHE_DIRECTORY = '/run/caisson-cache';

const VARIABLES: Record<CacheKind, string> = { npm: 'NPM_CONFIG_CACHE', pip: 'PIP_CACHE_DIR' };

export interface SetupCache {
  kind: CacheKind;
  volume: string;
}

export interface CacheScope {
  image: string;
  /** Absent: the setup's command stands for what runs in it. */
  workspace: string | undefined;
  command: string;
}

/** Who may share a cache: only the same workspace, since what its setup runs can put anything in. */
export function cacheScope({ image, workspace, command }: CacheScope): string {
  return createHash('sha256')
    .update(JSON.stringify([image, workspace ?? null, workspace === undefined ? command : null]))
    .digest('hex');
}

/** Finds or makes the volumes. Each belongs to one user: of another's files most could not be read. */
export async function prepareCaches(
  { docker }: Engine,
  kinds: readonly CacheKind[],
  { scope, user, workspace }: { scope: string; user: SessionUser; workspace: string | undefined },
): Promise<SetupCache[]> {
  return await Promise.all(
    [...new Set(kinds)].map(async (kind) => {
      const volume = `caisson-cache-${kind}-${scope.slice(0, 16)}-${user.uid}`;
      await docker.createVolume({ Name: volume, Labels: cacheLabels(kind, workspace) });
      return { kind, volume };
    }),
  );
}

/** The environment of the setup, and of nothing after it. */
export function cacheEnvironment(caches: readonly SetupCache[]): Record<string, string> {
  return Object.fromEntries(caches.map(({ kind }) => [VARIABLES[kind], `${CACHE_DIRECTORY}/${kind}`]));
}

/** Lets the session's user write, until `closeCaches`. */
export async function openCaches(container: Docker.Container, caches: readonly SetupCache[]): Promise<void> {
  if (caches.length === 0) return;
  const paths = caches.map(({ kind }) => `${CACHE_DIRECTORY}/${kind}`);
  const code = await runAsRoot(container, 'chmod 0777 "$@"', paths);
  if (code !== 0) throw cannot('could not be opened');
}

/**
 * Shuts the door, ends whatever the setup left running, which could hold it open, and makes sure of both: no later
 * command reads or writes what another session's setup will trust.
 * @throws SandboxUnavailableError when it stays open
 */
export async function closeCaches(
  container: Docker.Container,
  caches: readonly SetupCache[],
  { user, connection }: { user: SessionUser; connection: AgentConnection },
): Promise<void> {
  if (caches.length === 0) return;
  const code = await runAsRoot(container, CLOSE, [CACHE_DIRECTORY, String(user.uid)]);
  const seen = await runInside(
    connection,
    `${caches.map(({ kind }) => `ls ${CACHE_DIRECTORY}/${kind} && exit 1`).join('\n')}\nexit 0`,
  );
  if (code !== 0 || seen.exitCode !== 0) throw cannot('could not be closed after setup; nothing else was run in it');
}

const CLOSE = [
  'chmod 0700 "$1" || exit 3',
  'round=0',
  'while [ $round -lt 100 ]; do',
  '  round=$((round + 1)); left=0',
  '  for status in /proc/[0-9]*/status; do',
  '    state=; uid=',
  '    while read -r name value rest; do',
  '      case $name in State:) state=$value;; Uid:) uid=$value;; esac',
  '    done 2>/dev/null < "$status" || continue',
  '    [ "$uid" = "$2" ] && [ "$state" != Z ] || continue',
  '    left=1; pid=${status#/proc/}; kill -KILL "${pid%/status}" 2>/dev/null',
  '  done',
  '  [ $left = 0 ] && exit 0',
  '  sleep 0.05',
  'done',
  'exit 4',
].join('\n');

/** The container's root, who owns the door. What it answers is made sure of by other means. */
async function runAsRoot(container: Docker.Container, script: string, args: string[]): Promise<number | null> {
  const exec = await container.exec({
    Cmd: ['/bin/sh', '-c', script, 'sh', ...args],
    User: '0:0',
    Env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
    AttachStdout: true,
    AttachStderr: true,
  });
  const stream = await exec.start({ hijack: true, stdin: false });
  stream.resume();
  await once(stream, 'close');
  return (await exec.inspect()).ExitCode;
}

function cannot(what: string): SandboxUnavailableError {
  return new SandboxUnavailableError(`Cannot start the sandbox: the caches of its setup ${what}`, {
    code: 'sandbox_start_failed',
  });
}
