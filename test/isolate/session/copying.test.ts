import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { WorkspaceMode } from '../../../src/sandbox/contract.js';
import { createIsolateSandbox } from '../../../src/sandbox/isolate/create-isolate-sandbox.js';

describe.each(['direct', 'overlay', 'memory'] as const)(
  'cp and mv in a %s workspace',
  (workspaceMode: WorkspaceMode) => {
    const workspace = mkdtempSync(join(tmpdir(), 'caisson-copying-'));
    const sandbox = createIsolateSandbox(workspaceMode === 'memory' ? {} : { workspaceMode, workspace });
    afterAll(async () => {
      await sandbox.dispose();
      rmSync(workspace, { recursive: true });
    });

    it.each([
      ['cp replaces a file that is there', 'echo 1 > a; echo 2 > b; cp a b; cat b', '1\n'],
      ['mv replaces a file that is there', 'echo 1 > a; echo 2 > b; mv a b; cat b; ls a', '1\n'],
      ['cp into a directory replaces the file in it', 'mkdir d; echo 1 > a; echo 2 > d/a; cp a d; cat d/a', '1\n'],
      ['cp -f and --force are what cp does', 'echo 1 > a; echo 2 > b; cp -f a b; cp --force a c; cat b c', '1\n1\n'],
      ['cp -a copies a tree', 'mkdir -p t/u; echo 1 > t/u/f; cp -a t v; cp --archive t w; cat v/u/f w/u/f', '1\n1\n'],
      [
        'cp -r merges into a directory',
        'mkdir -p m/n to/m/n; : > m/n/a; : > to/m/n/b; cp -r m to; ls to/m/n',
        'a\nb\n',
      ],
      ['cp of a system file replaces one', 'echo x > p; cp /etc/passwd p; grep -c agent p', '1\n'],
      ['cp to /dev/null says nothing', 'echo x > a; cp a /dev/null && echo done', 'done\n'],
    ])('%s', async (_, command, stdout) => {
      const result = await sandbox.exec(`rm -rf /workspace/*; ${command}`);
      expect(result.stdout).toBe(stdout);
    });

    it('a file is never copied onto itself, by whatever name', async () => {
      const { stdout, stderr } = await sandbox.exec(
        'rm -rf /workspace/*; echo keep > a; ln -s a s; ln a h; cp a a; cp a s; cp s a; cp a h; cp a ./a; cat a',
      );
      expect(stdout).toBe('keep\n');
      expect(stderr.match(/are the same file/g)).toHaveLength(5);
    });
  },
);
