import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
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

  it('names a file and what is under a file', async () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    await expect(openWorkspaceDirectory(file)).rejects.toThrow(`'${file}' as the workspace: it is not a directory`);
    await expect(openWorkspaceDirectory(join(file, 'x'))).rejects.toThrow('a part of the path is not a directory');
  });
});
