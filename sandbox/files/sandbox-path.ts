import { Refusal } from './refusal.js';
import { isReservedName } from './reserved-name.js';

/** Where the sandbox's namespace has files at all. */
export const MOUNTS = ['/workspace', '/tmp', '/home/agent'] as const;
export type Mount = (typeof MOUNTS)[number];

export interface SandboxPath {
  /** Without empty and `.` parts; `..` is kept, because it means the parent of what a link leads to. */
  parts: string[];
  dotDot: boolean;
  /** Ended in `/` or `/.`: must be a directory. */
  directoryOnly: boolean;
}

const MAX_PATH_BYTES = 4096;
const MAX_NAME_BYTES = 255;

/** @throws `Refusal` `invalid_input`, `path_escape` for relative paths */
export function parsePath(path: string): SandboxPath {
  if (path.length === 0) throw new Refusal('invalid_input', 'the path is empty');
  if (path.includes('\0')) throw new Refusal('invalid_input', 'the path holds a NUL character');
  if (tooLong(path, MAX_PATH_BYTES))
    throw new Refusal('invalid_input', `the path is longer than ${MAX_PATH_BYTES} bytes`, 'ENAMETOOLONG');
  if (path.charCodeAt(0) !== 47)
    throw new Refusal('path_escape', 'the path is not absolute; start it with /workspace/');
  const parts: string[] = [];
  let dotDot = false;
  const raw = path.split('/');
  for (const part of raw) {
    if (part === '' || part === '.') continue;
    if (part === '..') dotDot = true;
    else checkName(part);
    parts.push(part);
  }
  const last = raw[raw.length - 1];
  return { parts, dotDot, directoryOnly: last === '' || last === '.' || last === '..' };
}

/** The path with `..` taken by the letter, not through links: what a rule about "the path as given" sees. */
export function lexicalPath(parts: readonly string[]): string {
  const out: string[] = [];
  for (const part of parts) {
    if (part === '..') out.pop();
    else out.push(part);
  }
  return `/${out.join('/')}`;
}

/** @throws `Refusal` `invalid_input` */
function checkName(name: string): void {
  if (name.length > 84 && tooLong(name, MAX_NAME_BYTES)) {
    throw new Refusal('invalid_input', `a name in the path is longer than ${MAX_NAME_BYTES} bytes`, 'ENAMETOOLONG');
  }
  if (isReservedName(name)) throw new Refusal('invalid_input', `names like '${name}' are kept for the sandbox itself`);
  if (LONE_SURROGATE.test(name)) throw new Refusal('invalid_input', 'a name in the path is not valid Unicode');
}

// Would be written to disk as U+FFFD, a different name than the one that rules were checked against.
const LONE_SURROGATE = /\p{Cs}/u;

function tooLong(text: string, bytes: number): boolean {
  return text.length > bytes || (text.length * 3 > bytes && Buffer.byteLength(text) > bytes);
}
