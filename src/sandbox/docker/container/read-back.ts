import type Docker from 'dockerode';
import { SandboxUnavailableError } from '../../errors.js';

type Inspected = Docker.ContainerInspectInfo;

/** Each: what was asked for, and how to see whether the engine did it. */
const CHECKS: [string, (asked: Docker.ContainerCreateOptions, is: Inspected) => boolean][] = [
  ['network', (asked, is) => is.HostConfig.NetworkMode === asked.HostConfig?.NetworkMode],
  ['dropped capabilities', (_asked, is) => names(is.HostConfig.CapDrop).includes('ALL')],
  ['capabilities', (asked, is) => sameSet(names(is.HostConfig.CapAdd), names(asked.HostConfig?.CapAdd))],
  [
    'no-new-privileges',
    (_asked, is) =>
      (is.HostConfig.SecurityOpt ?? []).some((option: string) => /^no-new-privileges([:=]true)?$/.test(option)),
  ],
  [
    'default seccomp',
    (_asked, is) => !(is.HostConfig.SecurityOpt ?? []).some((option: string) => /seccomp[:=]unconfined/.test(option)),
  ],
  ['not privileged', (_asked, is) => is.HostConfig.Privileged === false],
  ['read-only root', (_asked, is) => is.HostConfig.ReadonlyRootfs === true],
  ['process limit', (asked, is) => is.HostConfig.PidsLimit === asked.HostConfig?.PidsLimit],
  ['memory limit', (asked, is) => is.HostConfig.Memory === asked.HostConfig?.Memory],
  ['swap limit', (asked, is) => is.HostConfig.MemorySwap === asked.HostConfig?.MemorySwap],
  ['processor limit', (asked, is) => (is.HostConfig.NanoCpus ?? 0) === (asked.HostConfig?.NanoCpus ?? 0)],
  [
    'runtime',
    (asked, is) =>
      asked.HostConfig?.Runtime === undefined ||
      (is.HostConfig as { Runtime?: string }).Runtime === asked.HostConfig.Runtime,
  ],
  ['file limits', (asked, is) => (is.HostConfig.Ulimits ?? []).length === asked.HostConfig?.Ulimits?.length],
  ['IPC namespace', (asked, is) => is.HostConfig.IpcMode === asked.HostConfig?.IpcMode],
  ['process namespace', (_asked, is) => !/host|container/.test(is.HostConfig.PidMode ?? '')],
  ['user namespace', (_asked, is) => is.HostConfig.UsernsMode !== 'host'],
  ['log driver', (_asked, is) => is.HostConfig.LogConfig?.Type === 'none'],
  ['init', (_asked, is) => is.HostConfig.Init === true],
  ['removal at its end', (_asked, is) => is.HostConfig.AutoRemove === true],
  ['open stdin', (_asked, is) => is.Config.OpenStdin === true && is.Config.StdinOnce === true],
  [
    'file systems in memory',
    (asked, is) => {
      const got = (is.HostConfig as { Tmpfs?: Record<string, string> }).Tmpfs ?? {};
      return Object.entries(asked.HostConfig?.Tmpfs ?? {}).every(([path, options]) => got[path] === options);
    },
  ],
  [
    'mounts',
    (asked, is) =>
      is.Mounts.filter(({ Type }) => Type === 'bind' || Type === 'volume').length ===
        (asked.HostConfig?.Mounts ?? []).filter(({ Type }) => Type !== 'tmpfs').length &&
      (asked.HostConfig?.Mounts ?? []).every(
        ({ Type, Target, ReadOnly }) =>
          Type === 'tmpfs' ||
          is.Mounts.some((mount) => mount.Destination === Target && mount.RW === (ReadOnly !== true)),
      ),
  ],
  ['no published ports', (_asked, is) => Object.keys((is.HostConfig.PortBindings as object | null) ?? {}).length === 0],
];

/**
 * Engines ignore what they do not know. What they say they made is compared with what was asked for, before anything
 * runs in it.
 * @throws SandboxUnavailableError `unsupported`, naming each thing that the engine did not do
 */
export function requireApplied(asked: Docker.ContainerCreateOptions, is: Inspected): void {
  const missing = CHECKS.filter(([, holds]) => !holds(asked, is)).map(([name]) => name);
  if (missing.length === 0) return;
  throw new SandboxUnavailableError(
    `Cannot start the sandbox: the engine did not apply what was asked for (${missing.join(', ')}). Use another engine`,
    { code: 'unsupported' },
  );
}

function names(capabilities: unknown): string[] {
  return ((capabilities as string[] | null | undefined) ?? []).map((name) => name.replace(/^CAP_/, '').toUpperCase());
}

function sameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name));
}
