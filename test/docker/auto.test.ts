import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createToolHost } from '../../src/host/create-tool-host.js';
import type { HostEvent, ToolHostOptions } from '../../src/host/types.js';
import { DEFAULT_IMAGE } from '../../src/sandbox/docker/default-image.js';
import { codingTools } from '../../src/tools/coding-tools.js';
import { describeOnDocker, leftovers } from './engine.js';
import { makeWorkspace } from './workspaces.js';

describeOnDocker("sandbox: 'auto'", (engine) => {
  const call = async (options: ToolHostOptions, command: string) => {
    const started: HostEvent[] = [];
    await using host = createToolHost({
      sandbox: 'auto',
      tools: codingTools(),
      policyFiles: false,
      onEvent: (event) => event.type === 'sandbox.started' && started.push(event),
      ...options,
    });
    const outcome = await host.call({ toolName: 'shell', args: { command } });
    return { outcome, started, mode: host.sandbox?.capabilities.workspaceMode };
  };

  it('takes a container where an engine and its image are there, and says what it is', async () => {
    const { outcome, started, mode } = await call({}, 'git --version');
    expect(outcome).toMatchObject({ output: { exitCode: 0, stdout: expect.stringMatching(/^git version/) } });
    expect(started).toEqual([
      {
        type: 'sandbox.started',
        time: expect.any(String),
        sandbox: { name: 'docker', id: expect.any(String) },
        isolation: 'container',
        network: 'none',
        workspaceMode: 'memory',
        image: DEFAULT_IMAGE,
        transport: 'agent',
        passedOver: [{ name: 'isolate', reason: "'docker' comes first and works here" }],
        // Paths that are always protected, which a `memory` workspace holds for file calls only.
        unenforced: expect.arrayContaining([expect.any(String)]),
      },
    ]);
    expect(mode).toBe('memory');
    expect(await leftovers(engine)).toEqual([]);
  });

  it('keeps the mode that was asked for', async () => {
    const workspace = await makeWorkspace();
    for (const workspaceMode of ['direct', 'overlay'] as const) {
      const { started, mode } = await call({ workspace, workspaceMode }, 'true');
      expect([mode, started]).toMatchObject([workspaceMode, [{ sandbox: { name: 'docker' }, workspaceMode }]]);
    }
    await rm(workspace, { recursive: true });
  });

  it("passes a container over for a workspace of root's, never to another mode", async () => {
    // One that belongs to root on every machine, whoever runs the tests.
    const { outcome, started, mode } = await call({ workspace: '/usr/share', workspaceMode: 'direct' }, 'echo hi');
    expect(outcome).toMatchObject({ output: { stdout: 'hi\n' } });
    expect([mode, started]).toMatchObject([
      'direct',
      [
        {
          sandbox: { name: 'isolate' },
          passedOver: [{ name: 'docker', reason: expect.stringMatching(/root owns it/) }],
        },
      ],
    ]);
    expect(await leftovers(engine)).toEqual([]);
  });

  it('says that a workspace is missing, once and not for each backend', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'caisson-auto-'));
    const { outcome, started } = await call({ workspace: join(directory, 'gone') }, 'true');
    expect(outcome).toMatchObject({ error: { kind: 'sandbox', message: expect.stringMatching(/^Cannot use '/) } });
    expect(started).toEqual([]);
    await rm(directory, { recursive: true });
  });
});
