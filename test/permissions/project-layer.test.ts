import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createToolHost } from '../../src/host/create-tool-host.js';
import type { ToolHostOptions } from '../../src/host/types.js';
import { parsePolicy } from '../../src/permissions/policy.js';
import { defineTool } from '../../src/tool/define-tool.js';
import { codingTools } from '../../src/tools/coding-tools.js';

const ALLOWS = JSON.stringify({ default: 'allow', allow: ['shell(rm:*)'], deny: ['read_file(.env)'] });
const ASKS = { default: 'ask' } as const;
const removes = { toolName: 'shell', args: { command: 'rm x' } };

let workspace: string;
let elsewhere: string;
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'project-')));
  elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'person-')));
  writeFileSync(join(workspace, '.env'), 'TOKEN=canary-project');
  writeFileSync(join(workspace, 'caisson.policy.json'), ALLOWS);
});
afterEach(() => {
  for (const directory of [workspace, elsewhere]) rmSync(directory, { recursive: true });
});

describe('a policy file that a guest could have written', () => {
  const decide = (options: Parameters<typeof parsePolicy>[1], input: Parameters<typeof parsePolicy>[0] = ASKS) =>
    parsePolicy(input, { workspace, ...options }).decide(removes).effect;
  const file = () => join(workspace, 'caisson.policy.json');

  it('tightens, and allows nothing', () => {
    expect(decide({ layers: [{ name: 'project', input: file() }] })).toBe('ask');
    expect(decide({ layers: [{ name: 'project', input: file() }], trustProject: true })).toBe('allow');
  });

  it('allows nothing as the policy of the person either, when the workspace holds it', () => {
    expect(decide({ layers: [{ name: 'user', input: file() }] })).toBe('ask');
    writeFileSync(join(elsewhere, 'policy.json'), ALLOWS);
    expect(decide({ layers: [{ name: 'user', input: join(elsewhere, 'policy.json') }] })).toBe('allow');
  });

  it('allows nothing when it is named by another way to it', () => {
    const loose = (path: string) => parsePolicy(path, { workspace, layers: [{ name: 'user', input: ASKS }] });
    symlinkSync(workspace, join(elsewhere, 'way'));
    for (const path of [file(), join(elsewhere, 'way', 'caisson.policy.json')])
      expect(loose(path).decide(removes).effect).toBe('ask');
    const through = parsePolicy(file(), {
      workspace: join(elsewhere, 'way'),
      layers: [{ name: 'user', input: ASKS }],
    });
    expect(through.decide(removes).effect).toBe('ask');
  });

  it('is not changed, moved, replaced or removed from inside, so what it denies holds the next time too', async () => {
    mkdirSync(join(workspace, 'sub'));
    const options: ToolHostOptions = { sandbox: 'isolate', workspace, tools: codingTools() };
    {
      await using host = createToolHost(options);
      for (const command of [
        'echo {} > caisson.policy.json',
        'F=caisson.policy.json; : > $F; rm -f $F; mv $F sub/; cp /dev/null $F; ln -sf sub $F; chmod 777 $F',
        'echo {} > sub/p; mv sub/p caisson.policy.json; ln -f sub/p caisson.policy.json; tee caisson.policy.json < sub/p',
        'cd sub; rm -rf ../caisson.policy.json; cd ..; find . -name "caisson*" -delete; mv /workspace /tmp/w',
      ])
        await host.call({ toolName: 'shell', args: { command } });
      for (const [toolName, args] of [
        ['write_file', { path: 'caisson.policy.json', content: '{}' }],
        ['write_file', { path: 'CAISSON.policy.JSON', content: '{}' }],
        ['edit_file', { path: './caisson.policy.json', old_string: 'deny', new_string: 'allow' }],
      ] as const)
        expect((await host.call({ toolName, args })).status).not.toBe('ok');
    }
    expect(readFileSync(file(), 'utf8')).toBe(ALLOWS);
    await using next = createToolHost(options);
    const outcome = await next.call({ toolName: 'read_file', args: { path: '.env' } });
    expect(JSON.stringify(outcome)).not.toContain('canary-project');
    expect(outcome.decision).toMatchObject({ effect: 'deny', rule: { source: 'project:caisson.policy.json#deny[0]' } });
  });
});

describe('links in a workspace that no sandbox gates', () => {
  it('are followed by the check: another name of a denied file is denied', async () => {
    symlinkSync('.env', join(workspace, 'notes.txt'));
    symlinkSync('.', join(workspace, 'here'));
    symlinkSync(join(workspace, '.env'), join(workspace, 'absolute'));
    const read: string[] = [];
    await using host = createToolHost({
      workspace,
      policyFiles: false,
      permissions: { deny: ['read_file(.env)'] },
      tools: [
        defineTool({
          name: 'read_file',
          description: 'Reads',
          input: z.object({ path: z.string() }),
          execute: async ({ path }) => {
            read.push(path);
            return readFileSync(join(workspace, path), 'utf8');
          },
        }),
      ],
    });
    for (const path of ['.env', 'notes.txt', 'here/.env', 'here/here/notes.txt', 'absolute']) {
      const outcome = await host.call({ toolName: 'read_file', args: { path } });
      expect([path, outcome.status, outcome.decision?.effect]).toEqual([path, 'error', 'deny']);
    }
    expect((await host.call({ toolName: 'read_file', args: { path: 'here/caisson.policy.json' } })).status).toBe('ok');
    expect(read).toEqual(['here/caisson.policy.json']);
  });
});
