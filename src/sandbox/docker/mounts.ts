import { isAbsolute, normalize } from 'node:path';
import { z } from 'zod';

export interface DockerMount {
  /** Absolute path on the engine's machine; it must exist. */
  source: string;
  /** Absolute path in the sandbox, outside `/workspace`, `/tmp` and the system's directories. */
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
const SOCKET = /(^|\/)(docker|podman|containerd|crio|cri-dockerd|buildkitd)[^/]*\.sock$/;
const TAKEN = ['/workspace', '/proc', '/sys', '/dev', '/run/caisson', '/run/caisson-files'];

/** @throws TypeError naming the mount and why it is refused */
export function readMounts(mounts: readonly unknown[]): DockerMount[] {
  return mounts.map((mount, index) => {
    const parsed = schema.safeParse(mount);
    if (!parsed.success)
      throw new TypeError(`createDockerSandbox: mounts[${index}] must be { source, target, readOnly? }`);
    const { source, target, readOnly = true } = parsed.data;
    const reason = refusal(source, target);
    if (reason !== undefined)
      throw new TypeError(`createDockerSandbox: the mount of '${source}' is refused: ${reason}`);
    return { source: normalize(source), target: normalize(target), readOnly };
  });
}

function refusal(source: string, target: string): string | undefined {
  if (!isAbsolute(source) || !isAbsolute(target)) return "'source' and 'target' must be absolute paths";
  if (source.includes('\0') || target.includes('\0')) return 'a path holds a NUL character';
  const from = normalize(source).replace(/(?<=.)\/+$/, '');
  const to = normalize(target).replace(/(?<=.)\/+$/, '');
  if (SOCKET.test(from)) return "an engine's socket gives whoever holds it the whole machine";
  if (
    from === '/' ||
    from === '/var' ||
    from === '/var/run' ||
    from === '/run' ||
    from === '/etc' ||
    from === '/root'
  ) {
    return `'${from}' holds the machine's secrets and sockets; name the one directory that is needed`;
  }
  if (DANGEROUS.some((path) => isAtOrBelow(from, path))) return `'${from}' belongs to the machine's own system`;
  if (to === '/') return "the target cannot be '/'";
  if (TAKEN.some((path) => isAtOrBelow(to, path))) return `the sandbox itself uses '${to}'`;
  return undefined;
}

function isAtOrBelow(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`);
}
