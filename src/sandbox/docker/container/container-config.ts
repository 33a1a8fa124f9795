import type Docker from 'dockerode';
import { LOADER } from '../../../../sandbox/protocol/container.js';
import type { DockerSettings } from '../options.js';
import type { SessionUser } from './session-user.js';
import { CACHE_DIRECTORY, type SetupCache } from './setup-caches.js';

export const RUN_DIRECTORY = '/run/caisson';
export const SCRATCH_DIRECTORY = '/run/caisson-files';

const BORROWED_NODE = '/run/caisson-node';

const MiB = 1024 * 1024;
const OWN_TMPFS_BYTES = MiB;

export interface ContainerPlan {
  settings: DockerSettings;
  user: SessionUser;
  labels: Record<string, string>;
  /** What `/workspace` is, unless it is a file system in memory. */
  workspaceMount?: Docker.MountConfig[number];
  /** Mounts that hide or protect paths. */
  masks?: Docker.MountConfig;
  /** A Node of this machine's for an image that has none, bound into the container. */
  borrowedNode?: string;
  /** The main process, where it is no agent: it changes no user, so it needs less. */
  keeper?: string;
  networkMode?: string;
  /** Volumes for the setup, below a directory that is closed after it. */
  caches?: readonly SetupCache[];
  /** Open files a process may have. */
  nofile?: number;
  /** Bytes and entries that a copied workspace begins with; its file system has room for them besides. */
  copied?: { bytes: number; entries: number };
}

/**
 * The container, hardened. Limits are flat fields of HostConfig: engines silently ignore them under `Resources`.
 * What is asked for here is read back after create (`read-back.ts`).
 */
export function containerConfig({ settings, user, labels, ...plan }: ContainerPlan): Docker.ContainerCreateOptions {
  const { limits, tmpfs } = settings;
  const entries = (part: number) => Math.max(8, Math.floor(limits.maxDiskEntries * part));
  const copied = plan.copied ?? { bytes: 0, entries: 0 };
  const inMemory = plan.workspaceMount === undefined;
  const owned = (bytes: number, inodes: number) =>
    `rw,exec,nosuid,nodev,size=${bytes},nr_inodes=${inodes},mode=0755,uid=${user.uid},gid=${user.gid}`;
  return {
    Image: settings.image,
    Entrypoint: [],
    Cmd:
      plan.keeper === undefined
        ? [plan.borrowedNode === undefined ? 'node' : BORROWED_NODE, '-e', LOADER, 'agent']
        : ['/bin/sh', '-c', plan.keeper],
    User: '0:0',
    WorkingDir: '/',
    Hostname: 'sandbox',
    Labels: labels,
    Env: [],
    Tty: false,
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    StopTimeout: 1,
    HostConfig: {
      NetworkMode: plan.networkMode ?? 'none',
      CapDrop: ['ALL'],
      // What the agent needs to become another user and to end what runs as it; commands have none of it.
      CapAdd: user.uid === 0 ? [] : plan.keeper === undefined ? ['SETUID', 'SETGID', 'KILL'] : ['KILL'],
      SecurityOpt: ['no-new-privileges:true'],
      Privileged: false,
      ReadonlyRootfs: true,
      PublishAllPorts: false,
      IpcMode: settings.shm === undefined ? 'none' : 'private',
      ...(settings.shm === undefined ? {} : { ShmSize: settings.shm }),
      PidsLimit: limits.maxProcesses,
      Memory: limits.memoryBytes,
      MemorySwap: limits.memoryBytes,
      ...(settings.cpus === undefined ? {} : { NanoCpus: Math.round(settings.cpus * 1e9) }),
      ...(settings.runtime === undefined ? {} : { Runtime: settings.runtime }),
      Ulimits: [
        { Name: 'nofile', Soft: plan.nofile ?? 65_536, Hard: plan.nofile ?? 65_536 },
        { Name: 'core', Soft: 0, Hard: 0 },
      ],
      LogConfig: { Type: 'none', Config: {} },
      Init: true,
      AutoRemove: true,
      RestartPolicy: { Name: 'no' },
      Tmpfs: {
        ...(inMemory ? { '/workspace': owned(tmpfs.workspace + copied.bytes, entries(0.5) + copied.entries) } : {}),
        '/tmp': `rw,exec,nosuid,nodev,size=${tmpfs.tmp},nr_inodes=${entries(inMemory ? 0.25 : 0.5)},mode=1777`,
        '/home/agent': owned(tmpfs.home, entries(inMemory ? 0.25 : 0.5)),
        ...((plan.caches ?? []).length === 0
          ? {}
          : { [CACHE_DIRECTORY]: `rw,noexec,nosuid,nodev,size=${OWN_TMPFS_BYTES},mode=0711,uid=0,gid=0` }),
        [RUN_DIRECTORY]: `rw,noexec,nosuid,nodev,size=${OWN_TMPFS_BYTES},mode=0700,uid=0,gid=0`,
        [SCRATCH_DIRECTORY]: `rw,noexec,nosuid,nodev,size=${OWN_TMPFS_BYTES},mode=0700,uid=${user.uid},gid=${user.gid}`,
      },
      Mounts: [
        ...(plan.workspaceMount === undefined ? [] : [plan.workspaceMount]),
        ...(plan.borrowedNode === undefined
          ? []
          : [{ Type: 'bind', Source: plan.borrowedNode, Target: BORROWED_NODE, ReadOnly: true } as const]),
        ...settings.mounts.map(
          ({ source, target, readOnly = true }) =>
            ({ Type: 'bind', Source: source, Target: target, ReadOnly: readOnly }) as const,
        ),
        ...(plan.caches ?? []).map(
          ({ kind, volume }) =>
            ({ Type: 'volume', Source: volume, Target: `${CACHE_DIRECTORY}/${kind}`, ReadOnly: false }) as const,
        ),
        ...(plan.masks ?? []),
      ],
    },
  };
}
