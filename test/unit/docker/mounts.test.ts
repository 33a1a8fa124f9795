import { describe, expect, it } from 'vitest';
import { readMounts } from '../../../src/sandbox/docker/workspace/mounts.js';

describe('readMounts()', () => {
  it('takes a directory, read-only unless said otherwise, with its paths normalised', () => {
    expect(readMounts([{ source: '/data/../data/sets', target: '/mnt/data' }])).toEqual([
      { source: '/data/sets', target: '/mnt/data', readOnly: true },
    ]);
    expect(readMounts([{ source: '/data', target: '/mnt', readOnly: false }])[0]?.readOnly).toBe(false);
  });

  for (const source of [
    '/',
    '/proc',
    '/proc/1',
    '/sys',
    '/dev/sda',
    '/etc',
    '/run',
    '/var/run',
    '/root',
    '/var/lib',
    '/var/lib/docker',
    '/run/../proc',
    '/run/podman/podman.sock',
    '/x/docker.sock',
    'relative',
    '/run/containerd/containerd.sock',
  ]) {
    it(`refuses '${source}' as the source`, () => {
      expect(() => readMounts([{ source, target: '/mnt/x' }])).toThrow(/is refused/);
    });
  }

  for (const target of [
    '/',
    '/workspace',
    '/workspace/sub',
    '/proc/x',
    '/sys',
    '/dev',
    '/run/caisson',
    '/run/caisson-cache/npm',
    '/tmp',
    '/home/agent/',
    '/usr',
    '/etc/.',
    'relative',
    '/x/../workspace',
  ]) {
    it(`refuses '${target}' as the target`, () => {
      expect(() => readMounts([{ source: '/data', target }])).toThrow(/is refused/);
    });
  }

  it('takes targets below the directories that programs need', () => {
    for (const target of ['/tmp/data', '/home/agent/.ssh', '/usr/local/share/data', '/etc/tool'])
      expect(readMounts([{ source: '/data', target }])[0]?.target).toBe(target);
  });

  it.each(['/mnt/x', '/mnt/x/', '/mnt/y/../x'])('refuses two mounts at one place: /mnt/x and %s', (target) => {
    const mounts = [
      { source: '/a', target: '/mnt/x' },
      { source: '/b', target: '/mnt/other' },
      { source: '/c', target },
    ];
    expect(() => readMounts(mounts)).toThrow("mounts[2] and mounts[0] have the same target '/mnt/x'");
  });
});
