import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import { createFileLayer } from '../../../sandbox/files/create-file-layer.js';
import { FileError, type FileLayer, type FileLayerOptions } from '../../../sandbox/files/file-layer.js';
import type { EnforcementPlan, PathRule } from '../../../sandbox/protocol/plan.js';

export const MODES = ['direct', 'overlay', 'memory'] as const;

export interface Fixture {
  layer: FileLayer;
  /** Host directory of the workspace (not used by `memory`). */
  workspace: string;
  privateRoot: string;
  /** A directory beside them that the sandbox must never reach; holds `secret`. */
  outside: string;
  options: FileLayerOptions;
  /** A second layer on the same directories, as a second process has it. */
  again(): FileLayer;
}

// Not below /tmp: links to it would mean the sandbox's own /tmp.
const PLACE = '/var/tmp';

const made: string[] = [];
const home = process.cwd();

afterEach(() => {
  process.chdir(home);
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
});

export function openLayer(
  options: Partial<FileLayerOptions> & { files?: Record<string, string | Uint8Array> } = {},
): Fixture {
  const { files = {}, ...rest } = options;
  const top = realpathSync(mkdtempSync(join(PLACE, 'caisson-files-')));
  made.push(top);
  const [workspace, privateRoot, outside] = ['workspace', 'private', 'outside'].map((name) => join(top, name)) as [
    string,
    string,
    string,
  ];
  for (const directory of [workspace, privateRoot, outside]) mkdirSync(directory, { mode: 0o755 });
  writeFileSync(join(outside, 'secret'), 'SECRET', { mode: 0o644 });
  chmodSync(join(outside, 'secret'), 0o644);
  if (rest.mode !== 'memory') plant(workspace, files);
  const full: FileLayerOptions = {
    mode: 'direct',
    workspaceRoot: workspace,
    privateRoot,
    plan: { denyRead: [], denyWrite: [] },
    maxBytes: 64 * 1024 * 1024,
    maxEntries: 10_000,
    ...rest,
  };
  const layer = createFileLayer(full);
  if (rest.mode === 'memory')
    for (const [path, content] of Object.entries(files)) put(layer, `/workspace/${path}`, content);
  return { layer, workspace, privateRoot, outside, options: full, again: () => createFileLayer(full) };
}

export function plant(root: string, files: Record<string, string | Uint8Array>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content, { mode: 0o644 });
  }
}

export function put(layer: FileLayer, path: string, content: string | Uint8Array): void {
  layer.writeFile(path, Buffer.from(content as string), { parents: true });
}

export function text(layer: FileLayer, path: string): string {
  return Buffer.from(layer.readFile(path, 64 * 1024 * 1024)).toString();
}

export function names(layer: FileLayer, path: string): string[] {
  return layer.list(path).map((entry) => entry.name);
}

/** The code of the `FileError` that `work` throws; its message is checked to be fit for a model. */
export function codeOf(work: () => unknown): string {
  return failure(work).code;
}

export function failure(work: () => unknown): FileError {
  try {
    work();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    if (/caisson-files-|\n| {4}at /.test(error.message)) throw new Error(`Message shows the host: ${error.message}`);
    if (!/^[A-Z].*[^.]$/.test(error.message)) throw new Error(`Message grammar: ${error.message}`);
    return error;
  }
  throw new Error('Expected a FileError, nothing was thrown');
}

export function plan(rules: { denyRead?: string[]; denyWrite?: string[] }): EnforcementPlan {
  const toRules = (tool: string, globs: string[] = []): PathRule[] =>
    globs.map((glob) => ({ glob, rule: `${tool}(${glob})`, reason: 'kept closed' }));
  return { denyRead: toRules('read_file', rules.denyRead), denyWrite: toRules('write_file', rules.denyWrite) };
}
