import { accessSync, constants } from 'node:fs';
import { KNOWN_TOOLS } from '../../protocol/known-tools.js';

export interface Shell {
  kind: 'bash' | 'sh';
  path: string;
  /** Before the command line. */
  args: readonly string[];
}

const DIRECTORIES = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** Where a program of the image is; never one from a directory that commands can write. */
export function findProgram(name: string): string | undefined {
  return DIRECTORIES.map((directory) => `${directory}/${name}`).find(isExecutable);
}

export function findShell(): Shell | undefined {
  const bash = findProgram('bash');
  if (bash !== undefined) return { kind: 'bash', path: bash, args: ['--norc', '--noprofile', '-c'] };
  const sh = findProgram('sh');
  return sh === undefined ? undefined : { kind: 'sh', path: sh, args: ['-c'] };
}

/** For the description that models read. */
export function findTools(): string[] {
  return KNOWN_TOOLS.filter((name) => findProgram(name) !== undefined);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
