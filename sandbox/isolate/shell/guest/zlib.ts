import { gunzipSync as gunzip, gzipSync as gzip } from 'fflate';

/** Stands for `node:zlib` in the interpreter's gzip and tar commands. */
export const constants = {
  Z_DEFAULT_COMPRESSION: -1,
  Z_BEST_SPEED: 1,
  Z_BEST_COMPRESSION: 9,
} as const;

export function gzipSync(bytes: Uint8Array, options: { level?: number } = {}): Uint8Array {
  return gzip(bytes, { level: fflateLevel(options.level), mtime: 0 });
}

export function gunzipSync(bytes: Uint8Array, options: { maxOutputLength?: number } = {}): Uint8Array {
  const expanded = gunzip(bytes);
  if (options.maxOutputLength !== undefined && expanded.length > options.maxOutputLength) {
    throw new RangeError(`Cannot expand to more than ${options.maxOutputLength} bytes`);
  }
  return expanded;
}

type Level = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

function fflateLevel(level = 6): Level {
  return (level < 0 || level > 9 ? 6 : level) as Level;
}
