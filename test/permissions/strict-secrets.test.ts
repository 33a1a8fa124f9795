import { execFileSync } from 'node:child_process';
import { linkSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createToolHost } from '../../src/host/create-tool-host.js';
import { inspectWorkspace } from '../../src/host/strict-secrets.js';
import { parsePolicy } from '../../src/permissions/policy.js';
import { codingTools } from '../../src/tools/coding-tools.js';

let workspace: string;
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'strict-'));
  writeFileSync(join(workspace, '.env'), 'TOKEN=1\n');
});
afterEach(() => rmSync(workspace, { recursive: true }));

const plan = parsePolicy({ deny: ['read_file(.env)'] }).plan();

describe('denied content under another name', () => {
  it('is found where it is a hard link, or tracked by git', async () => {
    linkSync(join(workspace, '.env'), join(workspace, 'notes.txt'));
    for (const args of [
      ['init', '-q'],
      ['add', '-f', '.env', 'notes.txt'],
    ])
      execFileSync('git', args, { cwd: workspace });
    const { exposures, complete } = await inspectWorkspace(workspace, plan);
    expect(complete).toBe(true);
    expect(exposures).toEqual([
      { path: '.env', rule: 'read_file(.env)', how: 'hard link', also: 'notes.txt' },
      { path: '.env', rule: 'read_file(.env)', how: 'git', also: 'git show HEAD:.env' },
    ]);
  });

  it('keeps a host with strictSecrets from starting, until it is gone', async () => {
    const link = join(workspace, 'notes.txt');
    linkSync(join(workspace, '.env'), link);
    await using host = createToolHost({
      sandbox: 'isolate',
      workspace,
      tools: codingTools(),
      permissions: { deny: ['read_file(.env)'] },
      strictSecrets: true,
    });
    await expect(host.ready()).rejects.toThrow("'.env' (hard link: notes.txt)");
    const refused = await host.call({ toolName: 'shell', args: { command: 'ls' } });
    expect(refused).toMatchObject({ status: 'error', error: { kind: 'sandbox' } });
    rmSync(link);
    expect((await host.call({ toolName: 'shell', args: { command: 'ls' } })).status).toBe('ok');
  });
});
