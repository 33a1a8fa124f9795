import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { openWorkspaceDirectory } from '../../../src/sandbox/workspace-directory.js';

const root = mkdtempSync(join(tmpdir(), 'caisson-workspace-'));
afterAll(() => rmSync(root, { recursive: true }));

describe('openWorkspaceDirectory', () => {
  it('gives the real path and the owner', async () => {
    symlinkSync(root, join(root, 'link'));
    expect(await openWorkspaceDirectory(join(root, 'link'))).toMatchObject({ path: root, uid: process.getuid?.() });
  });

  it('names a directory that does not exist', async () => {
    const missing = join(root, 'missing');
    await expect(openWorkspaceDirectory(missing)).rejects.toMatchObject({
      name: 'SandboxUnavailableError',
      code: 'sandbox_unavailable',
      message: `Cannot use '${missing}' as the workspace: it does not exist. Create it or correct the path`,
    });
  });

  it('refuses the whole machine, by whatever name', async () => {
    symlinkSync('/', join(root, 'machine'));
    for (const path of ['/', '//', '/tmp/..', join(root, 'machine')]) {
      await expect(openWorkspaceDirectory(path)).rejects.toThrow(
        'as the workspace: it is the whole machine. Give the directory of one project',
      );
    }
  });

  it('warns once of a home directory', async () => {
    const emitted = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    vi.stubEnv('HOME', root);
    await openWorkspaceDirectory(root);
    await openWorkspaceDirectory(root);
    await openWorkspaceDirectory(tmpdir());
    expect(emitted.mock.calls).toEqual([[expect.stringContaining('is a home directory'), 'CaissonWorkspaceWarning']]);
    vi.unstubAllEnvs();
    emitted.mockRestore();
  });

  it('names a file and what is under a file', async () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    await expect(openWorkspaceDirectory(file)).rejects.toThrow(`'${file}' as the workspace: it is not a directory`);
    await expect(openWorkspaceDirectory(join(file, 'x'))).rejects.toThrow('a part of the path is not a directory');
  });
});
