import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { SandboxUnavailableError } from './errors.js';

export interface WorkspaceDirectory {
  /** Real path on the host. */
  path: string;
  uid: number;
  gid: number;
}

/**
 * Resolves the directory a session works on.
 * Warns once when it is this user's home directory, with the keys and the history in it.
 * @throws SandboxUnavailableError naming the directory, when it is missing, not a directory, not readable, or `/`
 */
export async function openWorkspaceDirectory(workspace: string): Promise<WorkspaceDirectory> {
  const path = resolve(workspace);
  try {
    const real = await realpath(path);
    const stats = await stat(real);
    if (!stats.isDirectory()) {
      throw unavailable(
        path,
        `Cannot use '${path}' as the workspace: it is not a directory. Give the directory that holds it`,
      );
    }
    if (real === '/') {
      throw unavailable(
        path,
        `Cannot use '${path}' as the workspace: it is the whole machine. Give the directory of one project`,
      );
    }
    await access(real, constants.R_OK | constants.X_OK);
    warnOfHome(real);
    return { path: real, uid: stats.uid, gid: stats.gid };
  } catch (error) {
    if (error instanceof SandboxUnavailableError) throw error;
    throw unavailable(path, describeFailure(path, error));
  }
}

let warned = false;

function warnOfHome(real: string): void {
  if (warned || real !== resolve(homedir())) return;
  warned = true;
  process.emitWarning(
    `The workspace '${real}' is a home directory: keys, tokens and histories in it are what commands can read. Give the directory of one project`,
    'CaissonWorkspaceWarning',
  );
}

function describeFailure(path: string, error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT')
    return `Cannot use '${path}' as the workspace: it does not exist. Create it or correct the path`;
  if (code === 'EACCES' || code === 'EPERM') {
    return `Cannot use '${path}' as the workspace: it is not readable by this user. Change its permissions or run as its owner`;
  }
  if (code === 'ENOTDIR') return `Cannot use '${path}' as the workspace: a part of the path is not a directory`;
  return `Cannot use '${path}' as the workspace: ${code ?? 'it cannot be opened'}`;
}

function unavailable(path: string, message: string): SandboxUnavailableError {
  return new SandboxUnavailableError(message, { path });
}
