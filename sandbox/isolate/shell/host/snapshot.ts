import { readFileSync } from 'node:fs';
import type ivm from 'isolated-vm';

export interface ShellSnapshot {
  bytes: Uint8Array<ArrayBuffer>;
  /** Made just now, not read. */
  built: boolean;
}

/** Reads the snapshot the host vouches for, or makes one of the shell's code with its common commands compiled. */
export function loadSnapshot({ Isolate }: Pick<typeof ivm, 'Isolate'>, path: string | undefined): ShellSnapshot {
  const kept = path === undefined ? undefined : readKept(path);
  if (kept !== undefined) return { bytes: kept, built: false };
  const code = readFileSync(new URL('./shell.js', import.meta.url), 'utf8');
  const snapshot = Isolate.createSnapshot([{ code, filename: 'shell.js' }], 'caissonShell.warmUp()');
  return { bytes: new Uint8Array(snapshot.copy()), built: true };
}

function readKept(path: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const bytes = readFileSync(path);
    // A truncated one would end the process inside V8, where nothing can be caught.
    if (bytes.length < SMALLEST) return undefined;
    return new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
  } catch {
    return undefined;
  }
}

/** A V8 context alone takes a few hundred kilobytes. */
const SMALLEST = 256 * 1024;
