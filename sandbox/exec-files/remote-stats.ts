import type { BigIntStats } from 'node:fs';
import { constants } from 'node:fs';

const LINE =
  /^([0-9a-f]+) (\d+) (\d+) (\d+) (\d+) (\d+) (\d+) (-?\d+) (-?\d+) \S+ \S+?(?:\.(\d+))? \S+ \S+ \S+?(?:\.(\d+))? \S+$/;

/** What the shell's `stat` printed, as Node would give it; `undefined` for anything else. */
export function readStats(line: string): BigIntStats | undefined {
  const match = LINE.exec(line);
  if (match === null) return undefined;
  const [, mode = '', size = '', ino = '', dev = '', nlink = '', uid = '', gid = '', mtime = '', ctime = ''] = match;
  const mtimeNs = nanoseconds(mtime, match[10]);
  const ctimeNs = nanoseconds(ctime, match[11]);
  const bits = BigInt(`0x${mode}`);
  const isOf = (type: number) => () => (Number(bits) & constants.S_IFMT) === type;
  const stats = {
    mode: bits,
    size: BigInt(size),
    ino: BigInt(ino),
    dev: BigInt(dev),
    nlink: BigInt(nlink),
    uid: BigInt(uid),
    gid: BigInt(gid),
    mtimeNs,
    ctimeNs,
    mtimeMs: mtimeNs / 1_000_000n,
    ctimeMs: ctimeNs / 1_000_000n,
    isFile: isOf(constants.S_IFREG),
    isDirectory: isOf(constants.S_IFDIR),
    isSymbolicLink: isOf(constants.S_IFLNK),
  };
  // Of the file layer's own: it reads no other field.
  return stats as unknown as BigIntStats;
}

function nanoseconds(seconds: string, fraction = ''): bigint {
  return BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9) || '0');
}
