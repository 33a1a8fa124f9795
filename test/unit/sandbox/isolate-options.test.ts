import { describe, expect, it } from 'vitest';
import { createIsolateSandbox } from '../../../src/sandbox/isolate/create-isolate-sandbox.js';
import { createSandboxPool, type SandboxPoolOptions } from '../../../src/sandbox/pool.js';

const create = (options: unknown) => () => createIsolateSandbox(options as Parameters<typeof createIsolateSandbox>[0]);

describe('createIsolateSandbox', () => {
  it('names an unknown option and the known ones', () => {
    expect(create({ workspce: '.' })).toThrow(
      /unknown option 'workspce'; did you mean 'workspace'\? Known options: workspace, workspaceMode/,
    );
  });

  it('names the option whose value cannot be', () => {
    expect(create({ timeoutMs: 700_000 })).toThrow("option 'timeoutMs'");
    expect(create({ limits: { memoryBytes: 1 } })).toThrow("option 'limits.memoryBytes'");
    expect(create({ env: { 'A B': 'x' } })).toThrow("option 'env.A B'");
    expect(create({ limits: { memoryByte: 1 } })).toThrow(
      /unknown option 'limits.memoryByte'; did you mean 'limits.memoryBytes'\? Known options: limits.timeoutMs, limits.memoryBytes, [\w., ]+$/,
    );
    expect(create(null)).toThrow('options must be an object, not null');
    expect(create({ workspaceMode: 'copy' })).toThrow("option 'workspaceMode'");
  });

  it('refuses a mode that does not fit the workspace', () => {
    expect(create({ workspaceMode: 'overlay' })).toThrow("workspaceMode 'overlay' needs a 'workspace'");
    expect(create({ workspaceMode: 'memory', workspace: '.' })).toThrow("takes no 'workspace'");
  });

  it('works in memory when no workspace is given, and on the workspace when one is', async () => {
    await using memory = createIsolateSandbox();
    await using direct = createIsolateSandbox({ workspace: '.' });
    expect(memory.capabilities.workspaceMode).toBe('memory');
    expect(direct.capabilities.workspaceMode).toBe('direct');
  });

  it('tells the model what the shell lacks and what is limited', async () => {
    await using sandbox = createIsolateSandbox({ timeoutMs: 5_000 });
    expect(sandbox.description).toContain('git, node, npm, python');
    expect(sandbox.description).toContain('5 s a command');
  });
});

describe('createSandboxPool', () => {
  it('refuses an unknown backend, size or option at once', () => {
    const pool = (options: unknown) => () => createSandboxPool(options as SandboxPoolOptions);
    expect(pool({ backend: 'podman' })).toThrow("'backend' must be 'isolate' or 'docker', not 'podman'");
    expect(pool({ backend: 'docker', privileged: true })).toThrow('privileged');
    expect(pool({ backend: 'docker', imag: 'x' })).toThrow(
      "createSandboxPool: unknown option 'imag'; did you mean 'image'?",
    );
    expect(pool({ backend: 'isolate', size: 0 })).toThrow("'size' must be a whole number from 1 to 100");
    expect(pool({ backend: 'isolate', sizes: 2 })).toThrow("unknown option 'sizes'");
  });
});
