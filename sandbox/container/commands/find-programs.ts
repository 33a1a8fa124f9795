import { statSync } from 'node:fs';
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

/** Without asking by an access that throws: most of what is asked for is not there, and errors are dear. */
function isExecutable(path: string): boolean {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true && (stats.mode & 0o111) !== 0;
  } catch {
    return false;
  }
}
