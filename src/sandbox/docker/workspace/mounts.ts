import { isAbsolute, normalize } from 'node:path';
import { z } from 'zod';

export interface DockerMount {
  /** Absolute path on the engine's machine; it must exist. */
  source: string;
  /** Absolute path in the sandbox, outside `/workspace` and what the kernel shows; not one that a program needs as it is, such as `/usr` or `/tmp`. */
  target: string;
  /** Default true. */
  readOnly?: boolean;
}

const schema = z.strictObject({
  source: z.string().min(1),
  target: z.string().min(1),
  readOnly: z.boolean().optional(),
});

/** Whoever holds one of these holds the machine. */
const DANGEROUS = ['/proc', '/sys', '/dev', '/boot', '/var/lib/docker', '/var/lib/containerd', '/run/containerd'];
const HELD = ['/', '/var', '/var/run', '/run', '/etc', '/root'];
const SOCKET = /(^|\/)(docker|podman|containerd|crio|cri-dockerd|buildkitd)[^/]*\.sock$/;
const TAKEN = ['/workspace', '/proc', '/sys', '/dev', '/run/caisson', '/run/caisson-cache', '/run/caisson-files'];
/** What is below may be mounted over, they themselves may not: the image's programs and the session's own files are there. */
const NEEDED = [
  '/',
  '/bin',
  '/etc',
  '/home',
  '/home/agent',
  '/lib',
  '/lib64',
  '/run',
  '/sbin',
  '/tmp',
  '/usr',
  '/usr/bin',
];

/** @throws TypeError naming the mount and why it is refused */
export function readMounts(mounts: readonly unknown[]): DockerMount[] {
  const targets = new Map<string, number>();
  return mounts.map((mount, index) => {
    const parsed = schema.safeParse(mount);
    if (!parsed.success)
      throw new TypeError(`createDockerSandbox: mounts[${index}] must be { source, target, readOnly? }`);
    const { source, target, readOnly = true } = parsed.data;
    const reason = refusal(source, target);
    if (reason !== undefined)
      throw new TypeError(`createDockerSandbox: the mount of '${source}' is refused: ${reason}`);
    const earlier = targets.get(bare(target));
    if (earlier !== undefined) {
      throw new TypeError(
        `createDockerSandbox: mounts[${index}] and mounts[${earlier}] have the same target '${bare(target)}': name another`,
      );
    }
    targets.set(bare(target), index);
    return { source: normalize(source), target: normalize(target), readOnly };
  });
}

function refusal(source: string, target: string): string | undefined {
  if (!isAbsolute(source) || !isAbsolute(target)) return "'source' and 'target' must be absolute paths";
  if (source.includes('\0') || target.includes('\0')) return 'a path holds a NUL character';
  const to = bare(target);
  if (NEEDED.includes(to) || TAKEN.some((path) => isAtOrBelow(to, path))) return `the sandbox itself uses '${to}'`;
  return sourceRefusal(bare(source));
}

function bare(path: string): string {
  return normalize(path).replace(/(?<=.)\/+$/, '');
}

/** Why a directory or file of the host, named without links, may not be shown to commands. */
export function sourceRefusal(from: string): string | undefined {
  if (SOCKET.test(from)) return "an engine's socket gives whoever holds it the whole machine";
  if (HELD.includes(from) || DANGEROUS.some((path) => isAtOrBelow(path, from) && path !== from)) {
    return `'${from}' holds the machine's secrets and sockets; name the one directory that is needed`;
  }
  if (DANGEROUS.some((path) => isAtOrBelow(from, path))) return `'${from}' belongs to the machine's own system`;
  return undefined;
}

export function isAtOrBelow(path: string, parent: string): boolean {
  return parent === '/' || path === parent || path.startsWith(`${parent}/`);
}
