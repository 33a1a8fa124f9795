import { describe, expect, it } from 'vitest';
import { type DockerSandboxOptions, readOptions } from '../../../src/sandbox/docker/options.js';

const MiB = 1024 * 1024;

describe('readOptions()', () => {
  it('defaults to memory without a workspace and to direct with one', () => {
    expect(readOptions({}).mode).toBe('memory');
    expect(readOptions({ workspace: '/x' }).mode).toBe('direct');
  });

  it('shares the disk limit out among the file systems in memory', () => {
    const { tmpfs } = readOptions({ limits: { maxDiskBytes: 64 * MiB } });
    expect(tmpfs).toEqual({ workspace: 32 * MiB, tmp: 16 * MiB, home: 16 * MiB });
    expect(readOptions({ workspace: '/x', limits: { maxDiskBytes: 64 * MiB } }).tmpfs).toEqual({
      workspace: 0,
      tmp: 32 * MiB,
      home: 32 * MiB,
    });
  });

  it('keeps the default file systems below a small memory limit', () => {
    const { tmpfs, limits } = readOptions({ limits: { memoryBytes: 256 * MiB } });
    expect(tmpfs.workspace + tmpfs.tmp + tmpfs.home).toBeLessThan(limits.memoryBytes);
  });

  const refused: [string, unknown, RegExp][] = [
    ['null for the options', null, /^createDockerSandbox: options must be an object, not null/],
    ['a text for the options', 'fast', /^createDockerSandbox: options must be an object, not 'fast'/],
    ['an unknown option', { colour: 'red' }, /unknown option 'colour'.*Known options: /],
    ['privileged', { privileged: true }, /'privileged' is refused: .*take over the machine/],
    ["the host's network", { network: 'host' }, /'host' is refused/],
    ["another container's network", { network: 'container:x' }, /is refused/],
    ["the host's process namespace", { pidMode: 'host' }, /'pidMode' is refused/],
    ["a limit by Docker's name", { memory: 1 }, /use 'limits.memoryBytes'/],
    ['added capabilities', { capAdd: ['SYS_ADMIN'] }, /'capAdd' is refused/],
    ['security options', { securityOpt: [] }, /'securityOpt' is refused/],
    ['file systems larger than memory', { tmpfs: { tmp: 3000 * MiB } }, /memory limit/],
    ['a /dev/shm larger than memory', { shm: 3000 * MiB }, /memory limit/],
    ['overlay without a workspace', { workspaceMode: 'overlay' }, /needs a 'workspace'/],
    ['memory with a workspace', { workspaceMode: 'memory', workspace: '/x' }, /starts empty/],
    ['root by number', { user: { uid: 0, gid: 0 } }, /'user/],
    ['an environment name that is none', { env: { 'A-B': 'x' } }, /environment variable name/],
    ['a NUL in a value', { env: { A: 'x\0y' } }, /NUL/],
    ['too little memory', { limits: { memoryBytes: MiB } }, /memoryBytes/],
    ['too few processors', { cpus: 0.01 }, /'cpus'.*at least 0\.05; with less a sandbox takes many seconds/],
    ['a timeout over ten minutes', { timeoutMs: 600_001 }, /timeoutMs/],
    [
      "the engine's socket",
      { mounts: [{ source: '/var/run/docker.sock', target: '/x' }] },
      /socket gives whoever holds it the whole machine/,
    ],
  ];
  for (const [name, options, message] of refused) {
    it(`refuses ${name}, with the reason`, () => {
      expect(() => readOptions(options as DockerSandboxOptions)).toThrow(message);
    });
  }
});
