import type Docker from 'dockerode';
import { describe, expect, it } from 'vitest';
import { containerConfig } from '../../../src/sandbox/docker/container/container-config.js';
import { requireApplied } from '../../../src/sandbox/docker/container/read-back.js';
import { readOptions } from '../../../src/sandbox/docker/options.js';

const asked = containerConfig({
  settings: readOptions({ cpus: 1.5, runtime: 'runsc' }),
  user: { uid: 20_001, gid: 20_000 },
  labels: {},
});

/** What an engine answers that did everything. */
function inspected(): Docker.ContainerInspectInfo {
  return structuredClone({
    Config: { OpenStdin: true, StdinOnce: true },
    HostConfig: { ...asked.HostConfig, CapAdd: ['CAP_SETUID', 'CAP_SETGID', 'CAP_KILL'] },
    Mounts: [],
  }) as unknown as Docker.ContainerInspectInfo;
}

describe('requireApplied()', () => {
  it('lets a container pass that is as it was asked for, however capabilities are spelled', () => {
    expect(() => requireApplied(asked, inspected())).not.toThrow();
  });

  const ignored: [string, (config: Record<string, unknown>) => void, RegExp][] = [
    ['the network', (config) => (config.NetworkMode = 'bridge'), /network/],
    ['dropping capabilities', (config) => (config.CapDrop = []), /dropped capabilities/],
    ['the capabilities', (config) => (config.CapAdd = ['CAP_SYS_ADMIN']), /capabilities/],
    ['no-new-privileges', (config) => (config.SecurityOpt = []), /no-new-privileges/],
    ['seccomp', (config) => (config.SecurityOpt = ['no-new-privileges:true', 'seccomp=unconfined']), /default seccomp/],
    ['the read-only root', (config) => (config.ReadonlyRootfs = false), /read-only root/],
    ['the process limit', (config) => (config.PidsLimit = null), /process limit/],
    ['the memory limit', (config) => (config.Memory = 0), /memory limit/],
    ['the swap limit', (config) => (config.MemorySwap = -1), /swap limit/],
    ['the processor limit', (config) => (config.NanoCpus = 0), /processor limit/],
    ['the runtime', (config) => (config.Runtime = 'runc'), /runtime/],
    ['file limits', (config) => (config.Ulimits = null), /file limits/],
    ['the IPC namespace', (config) => (config.IpcMode = 'private'), /IPC namespace/],
    ['the log driver', (config) => (config.LogConfig = { Type: 'json-file' }), /log driver/],
    ['file systems in memory', (config) => (config.Tmpfs = {}), /file systems in memory/],
    ['privileged off', (config) => (config.Privileged = true), /not privileged/],
  ];
  for (const [name, change, message] of ignored) {
    it(`refuses an engine that ignored ${name}, by name`, () => {
      const answer = inspected();
      change(answer.HostConfig as unknown as Record<string, unknown>);
      expect(() => requireApplied(asked, answer)).toThrow(message);
    });
  }

  it('refuses mounts that came out writable', () => {
    const config = containerConfig({
      settings: readOptions({ mounts: [{ source: '/data', target: '/mnt/data' }] }),
      user: { uid: 20_001, gid: 20_000 },
      labels: {},
    });
    const answer = {
      ...inspected(),
      Mounts: [{ Type: 'bind', Destination: '/mnt/data', RW: true }],
    } as unknown as Docker.ContainerInspectInfo;
    answer.HostConfig = {
      ...(config.HostConfig as object),
      CapAdd: ['SETUID', 'SETGID', 'KILL'],
    } as typeof answer.HostConfig;
    expect(() => requireApplied(config, answer)).toThrow(/mounts/);
  });
});
