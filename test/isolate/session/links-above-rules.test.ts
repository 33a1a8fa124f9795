import { existsSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import { codingTools } from '../../../src/tools/coding-tools.js';

const TRIES = [
  'mkdir -p g/workflows; echo EVIL > g/workflows/ci.yml; ln -s g .github',
  'ln -s g .github; mkdir -p g/workflows; echo EVIL > g/workflows/ci.yml',
  'mkdir -p g/workflows; echo EVIL > g/workflows/ci.yml; ln -sfn /workspace/g .github',
  'mkdir -p g/workflows; echo EVIL > g/workflows/ci.yml; ln -s g l; mv l .github',
  'mkdir -p g/workflows x; echo EVIL > g/workflows/ci.yml; ln -s ../g x/l; mv x/l .github; cp -a x/l .github',
  'mkdir -p g; echo EVIL > g/ci.yml; mkdir .github; ln -s ../g .github/workflows',
  'mkdir -p c/fish; echo EVIL > c/fish/config.fish; ln -s c .config',
  'mkdir -p sub/c/fish; echo EVIL > sub/c/fish/config.fish; ln -s c sub/.config; mv sub other',
  'mkdir -p linked/workflows; echo EVIL > linked/workflows/ci.yml',
  'mkdir -p made/workflows; echo EVIL > made/workflows/ci.yml; mv made linked',
];
const CLOSED = [
  '.github/workflows/ci.yml',
  '.config/fish/config.fish',
  'sub/.config/fish/config.fish',
  'other/.config/fish/config.fish',
  'there/.github/workflows/ci.yml',
];

describe.each(['direct', 'overlay'] as const)(
  'a link above what a rule keeps from being written, %s',
  (workspaceMode) => {
    let root: string;
    beforeEach(() => {
      root = mkdtempSync(join(tmpdir(), 'links-above-'));
      mkdirSync(join(root, 'there'));
      symlinkSync('../linked', join(root, 'there/.github'));
    });
    afterEach(() => rmSync(root, { recursive: true }));

    it('brings nothing there, whoever made the link', async () => {
      await using host = createToolHost({
        sandbox: 'isolate',
        workspace: root,
        workspaceMode,
        tools: codingTools(),
        permissions: { deny: ['write_file(.github/workflows/**)'] },
        policyFiles: false,
      });
      for (const command of TRIES) {
        await host.call({ toolName: 'shell', args: { command } });
        if (workspaceMode === 'overlay') await host.workspace.commit();
        expect([command, CLOSED.filter((path) => existsSync(join(root, path)))]).toEqual([command, []]);
        await host.call({ toolName: 'shell', args: { command: 'rm -rf g x c sub other made l linked .config' } });
        await host.call({ toolName: 'shell', args: { command: 'rm -rf .github' } });
      }
      await host.call({
        toolName: 'shell',
        args: { command: 'mkdir g; echo x > g/free; ln -s g link; cat link/free > copy' },
      });
      if (workspaceMode === 'overlay') await host.workspace.commit();
      expect(readFileSync(join(root, 'copy'), 'utf8')).toBe('x\n');
    });

    it('leads where it led, link for link, and what it leads to stays closed', async () => {
      mkdirSync(join(root, 'real'));
      const links = { mid: 'real', '.github': 'mid', conf: 'real', '.npmrc': 'conf/npmrc' };
      for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
      await using host = createToolHost({
        sandbox: 'isolate',
        workspace: root,
        workspaceMode,
        tools: codingTools(),
        permissions: { deny: ['write_file(.github/workflows/**)'] },
        policyFiles: false,
      });
      const command = `mkdir -p evil/workflows; echo EVIL | tee evil/workflows/x.yml evil/npmrc
        ln -sfn evil mid; ln -sf evil conf; rm mid conf .github; ln -s evil l; mv l mid; mv evil conf
        mkdir real/workflows; echo EVIL > real/workflows/x.yml; echo EVIL > real/npmrc; echo > real/free`;
      await host.call({ toolName: 'shell', args: { command } });
      if (workspaceMode === 'overlay') await host.workspace.commit();
      const closed = ['.npmrc', '.github/workflows/x.yml', 'real/workflows/x.yml'];
      expect(closed.filter((path) => existsSync(join(root, path)))).toEqual([]);
      expect(existsSync(join(root, 'real/free'))).toBe(true);
      const left = Object.keys(links).map((name) => [name, readlinkSync(join(root, name))]);
      expect(Object.fromEntries(left)).toEqual(links);
    });
  },
);
