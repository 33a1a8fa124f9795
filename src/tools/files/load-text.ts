import type { Sandbox } from '../../sandbox/contract.js';
import { isSandboxError, SandboxError } from '../../sandbox/errors.js';
import { joinLabel, pathLabel } from '../path-label.js';
import { decodeText, type TextDocument } from './decode-text.js';
import { MAX_TEXT_FILE_BYTES } from './limits.js';
import { similarity } from './similarity.js';

/**
 * Reads a text file for a model; every refusal says what to do next.
 * @throws SandboxError `not_found`, `is_directory`, `file_too_large`, `encoding`, or what the sandbox's own file call throws
 */
export async function loadText(
  sandbox: Sandbox,
  path: string,
  options: { signal?: AbortSignal },
): Promise<TextDocument> {
  const label = pathLabel(path, sandbox);
  const bytes = await readBytes(sandbox, path, options);
  if (bytes === null) throw await missingFile(sandbox, path, options);
  return decodeText(bytes, label);
}

async function readBytes(
  sandbox: Sandbox,
  path: string,
  options: { signal?: AbortSignal },
): Promise<Uint8Array | null> {
  const label = pathLabel(path, sandbox);
  try {
    return await sandbox.fs.readFile(path, { ...options, maxBytes: MAX_TEXT_FILE_BYTES });
  } catch (error) {
    if (!isSandboxError(error)) throw error;
    if (error.code === 'is_directory') {
      throw new SandboxError('is_directory', `Cannot read "${label}": it is a directory; use list_dir`, {
        path: label,
        cause: error,
      });
    }
    if (error.code === 'file_too_large') {
      throw new SandboxError(
        'file_too_large',
        `Cannot read "${label}": it is over 10 MB; search it with grep, or take a part of it in the shell with head, tail or sed -n`,
        { path: label, cause: error },
      );
    }
    throw error;
  }
}

/** The `not_found` of a file, with the nearest name beside it when there is one. */
export async function missingFile(
  sandbox: Sandbox,
  path: string,
  options: { signal?: AbortSignal },
): Promise<SandboxError> {
  const label = pathLabel(path, sandbox);
  const near = await nearestName(sandbox, label, options);
  const hint = near === undefined ? 'look for it with glob or list_dir' : `did you mean "${near}"?`;
  return new SandboxError('not_found', `Cannot find "${label}": no such file; ${hint}`, { path: label });
}

async function nearestName(
  sandbox: Sandbox,
  label: string,
  options: { signal?: AbortSignal },
): Promise<string | undefined> {
  const slash = label.lastIndexOf('/');
  const directory = slash === -1 ? '.' : label.slice(0, slash);
  const name = label.slice(slash + 1);
  const entries = await sandbox.fs.list(directory, options).catch(() => null);
  let best: { name: string; score: number } | undefined;
  for (const entry of entries ?? []) {
    if (entry.type !== 'file') continue;
    const score = similarity(entry.name.toLowerCase(), name.toLowerCase());
    if (score >= 0.5 && score > (best?.score ?? 0)) best = { name: entry.name, score };
  }
  return best === undefined ? undefined : joinLabel(directory, best.name);
}
