import { createHash, randomBytes } from 'node:crypto';
import { isIncoming } from '../protocol/incoming-path.js';

/**
 * Names in the trees themselves that are ours: half-written files, things on their way between two directories, and the
 * overlay's marks. They sit beside the user's files so that a rename can be atomic and a directory takes its marks along.
 * No listing shows them, and no path of the sandbox may name them but what is incoming, which is made by such calls.
 */
export type ReservedKind =
  /** Half-written, or between two directories. */
  | 'tmp'
  /** Overlay: the lower layer's entry of this name is hidden. */
  | 'gone'
  /** Overlay: what the lower layer had when this name was first written. */
  | 'base'
  /** On its way from another machine or container, in parts. */
  | 'incoming';

const PREFIX = '.caisson-';
const RESERVED = /^\.caisson-[0-9a-f]{32}\.(tmp|gone|base)$/;

export function isReservedName(name: string): boolean {
  return name.startsWith(PREFIX) && RESERVED.test(name);
}

export function reservedKind(name: string): ReservedKind | undefined {
  if (!name.startsWith(PREFIX)) return undefined;
  return isIncoming(name) ? 'incoming' : (RESERVED.exec(name)?.[1] as ReservedKind | undefined);
}

/** Cannot be guessed: nobody can put a link where it will be. */
export function temporaryName(): string {
  return `${PREFIX}${randomBytes(16).toString('hex')}.tmp`;
}

/** The same for the same name, of fixed length: a name may already have all 255 bytes. */
export function markName(name: string, kind: 'gone' | 'base'): string {
  return `${PREFIX}${createHash('sha256').update(name).digest('hex').slice(0, 32)}.${kind}`;
}
