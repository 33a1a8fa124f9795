import { expect } from 'vitest';
import { readMounts } from '../../../src/sandbox/docker/workspace/mounts.js';
import { containerOf } from '../engine.js';
import { type Attacks, codeOf } from './attack.js';

/** Out of the container, or up inside it. */
export const escapeAttacks: Attacks = {
  'DOC-001': async ({ sandbox }) => {
    const { stdout } = await sandbox.exec('cat /proc/self/status');
    for (const line of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) {
      const bits = BigInt(`0x${new RegExp(`^${line}:\\t(.*)$`, 'm').exec(stdout)?.[1]}`);
      // The bounding set keeps the three that the agent has; without a set-uid program they cannot be gained.
      expect([line, (bits & ~((1n << 5n) | (1n << 6n) | (1n << 7n))).toString(16)]).toEqual([line, '0']);
      if (line !== 'CapBnd') expect([line, bits]).toEqual([line, 0n]);
    }
    expect(stdout).toMatch(/^NoNewPrivs:\t1$/m);
    expect(stdout).toMatch(/^Seccomp:\t2$/m);
  },
  'DOC-003': async ({ sandbox }) => {
    for (const command of [
      'mount -t tmpfs x /mnt',
      'unshare -Ur true',
      'unshare -m true',
      'chroot / true',
      'mknod /tmp/d b 254 0',
      'mknod /tmp/c c 1 1',
    ]) {
      expect([command, (await sandbox.exec(command)).exitCode === 0]).toEqual([command, false]);
    }
  },
  'DOC-004': async ({ sandbox }) => {
    for (const command of [
      'echo x > /proc/sysrq-trigger',
      'echo 1 > /proc/sys/kernel/panic',
      'touch /sys/x',
      'test -s /proc/kcore && head -c 1 /proc/kcore | grep -q .',
      'ls /sys/firmware | grep -q .',
      'echo 1 > /sys/fs/cgroup/memory/memory.limit_in_bytes',
      'echo max > /sys/fs/cgroup/pids/pids.max',
    ]) {
      expect([command, (await sandbox.exec(command)).exitCode === 0]).toEqual([command, false]);
    }
  },
  'DOC-005': async ({ sandbox }) => {
    for (let fd = 3; fd < 15; fd += 1) {
      expect(await codeOf(sandbox.exec('pwd', { cwd: `/proc/self/fd/${fd}` }))).toBe('invalid_cwd');
    }
    expect(await codeOf(sandbox.exec('pwd', { cwd: '/proc/1/cwd' }))).toBe('invalid_cwd');
  },
  'DOC-006': async ({ sandbox, engine }) => {
    // No call starts a process of the engine's: all are children of the agent.
    const { stdout } = await sandbox.run('/proc/self/exe', ['--version']);
    expect(stdout).not.toMatch(/runc/);
    const container = await containerOf(engine, sandbox.id);
    expect((await container.inspect()).ExecIDs).toBe(null);
  },
  'DOC-008': async ({ sandbox }) => {
    expect((await sandbox.exec('find / -xdev -perm /6000 -type f 2>/dev/null')).stdout).toBe('');
    const copied = await sandbox.exec('cp "$(command -v id)" mine && chmod u+s,g+s mine && ./mine -u; id -u; rm mine');
    const [asSetuid, plain] = copied.stdout.trim().split('\n');
    expect(asSetuid).toBe(plain);
    expect(plain).not.toBe('0');
    expect((await sandbox.exec('su -c id root')).exitCode).not.toBe(0);
  },
  'DOC-009': async ({ sandbox }) => {
    // Nothing foreign is unpacked by the host: files go one by one, as bytes with permission bits.
    await sandbox.fs.writeFile('bits', 'x', { mode: 0o6755 });
    expect((await sandbox.exec('stat -c %a bits')).stdout).toBe('755\n');
  },
  'DOC-012': async ({ sandbox }) => {
    const probes: Record<string, string> = {
      'engine socket': 'find / -xdev -name "*.sock" 2>/dev/null | grep -E "docker|podman|containerd"',
      capabilities: 'grep -q "CapEff:.*[1-9a-f]" /proc/self/status',
      'host mounts': 'grep -E " (/etc|/root|/var/lib/docker|/home) " /proc/self/mounts | grep -v resolv',
      "the main process's root": 'ls /proc/1/root/',
      "the agent's memory":
        'for p in /proc/[0-9]*; do [ "$(stat -c %u $p)" = 0 ] && cat $p/environ && exit 0; done; exit 1',
      "the agent's descriptors":
        'for p in /proc/[0-9]*; do [ "$(stat -c %u $p)" = 0 ] && ls $p/fd && exit 0; done; exit 1',
      'cgroup release_agent': 'echo /x > /sys/fs/cgroup/memory/release_agent',
      core_pattern: 'echo "|/tmp/x" > /proc/sys/kernel/core_pattern',
      'kernel modules': 'modprobe dummy || insmod /tmp/x.ko',
      'block devices': 'ls /dev | grep -E "^(sd|vd|nvme|loop|dm-)"',
      'raw memory': 'head -c 1 /dev/mem',
      'other processes': "ps -eo pid --no-headers | wc -l | awk '{ exit !($1 > 60) }'",
      network: 'ls /sys/class/net | grep -v "^lo$"',
      keyrings:
        'python3 -c "import ctypes; l=ctypes.CDLL(None); import sys; sys.exit(0 if l.syscall(250, 0, -1, 0) >= 0 else 1)"',
      bpf: 'python3 -c "import ctypes; l=ctypes.CDLL(None); import sys; sys.exit(0 if l.syscall(321, 0, 0, 0) >= 0 else 1)"',
      userfaultfd:
        'python3 -c "import ctypes; l=ctypes.CDLL(None); import sys; sys.exit(0 if l.syscall(323, 0) >= 0 else 1)"',
      'ptrace of the agent':
        'python3 -c "import ctypes; l=ctypes.CDLL(None); import sys; sys.exit(0 if l.ptrace(16, 1, 0, 0) >= 0 else 1)"',
      'the root': 'touch /x || touch /usr/x || touch /etc/x',
      'shared memory': 'touch /dev/shm/x',
      "the agent's pipes": 'ls /run/caisson',
    };
    for (const [name, probe] of Object.entries(probes)) {
      expect([name, (await sandbox.exec(probe)).exitCode === 0]).toEqual([name, false]);
    }
  },
  'DOC-010': async ({ open }) => {
    for (const [option, value] of [
      ['privileged', true],
      ['pidMode', 'host'],
      ['ipcMode', 'host'],
      ['usernsMode', 'host'],
      ['capAdd', ['SYS_ADMIN']],
      ['securityOpt', ['seccomp=unconfined']],
      ['devices', []],
      ['binds', []],
    ] as const) {
      await expect(open({ [option]: value } as never)).rejects.toThrow(new RegExp(`'${option}' is refused: `));
    }
    await expect(open({ network: 'host' as never })).rejects.toThrow(/'host' is refused: /);
    for (const source of [
      '/var/run/docker.sock',
      '/run/podman/podman.sock',
      '/',
      '/proc',
      '/sys/fs',
      '/dev',
      '/etc',
      '/var/lib/docker/volumes',
      '/run',
    ]) {
      expect(() => readMounts([{ source, target: '/mnt/x' }])).toThrow(/is refused/);
    }
    expect(() => readMounts([{ source: '/data', target: '/workspace/x' }])).toThrow(/is refused/);
  },
};
