import { randomBytes } from 'node:crypto';
import { isMarkOfGone, OWNER_MARK, ownerMark } from './owner.js';

const INCOMING = new RegExp(`^\\.caisson-incoming-${OWNER_MARK.source}-[0-9a-f]{16}$`);

/** Tells one file that travels in parts from every other, and says which process sends it. */
export function newTransfer(): string {
  return `${ownerMark()}-${randomBytes(8).toString('hex')}`;
}

/** What such a file is called until its last part is there: beside its place, so that it takes it at once. */
export function incomingPath(path: string, transfer: string): string {
  return `${path.slice(0, path.lastIndexOf('/') + 1)}.caisson-incoming-${transfer}`;
}

export function isIncoming(name: string): boolean {
  return INCOMING.test(name);
}

/** Known to have lost its sender. */
export function isAbandonedIncoming(name: string): boolean {
  return isIncoming(name) && isMarkOfGone(name);
}
