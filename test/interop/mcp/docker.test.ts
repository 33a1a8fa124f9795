import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createToolHost, type ToolOutcome } from '../../../src/index.js';
import { connectMcp, type McpConnections } from '../../../src/interop/mcp/index.js';
import type { SandboxSession } from '../../../src/sandbox/contract.js';
import { createDockerSandbox } from '../../../src/sandbox/docker/create-docker-sandbox.js';
import { containerOf, describeOnDocker } from '../../docker/engine.js';
import { FIXTURES } from './stdio.js';

describeOnDocker('an MCP server inside the Docker sandbox', (engine) => {
  let sandbox: SandboxSession;
  let mcp: McpConnections;
  beforeEach(async () => {
    sandbox = createDockerSandbox();
    await sandbox.writeFile('/workspace/inside.mjs', readFileSync(join(FIXTURES, 'inside.mjs'), 'utf8'));
    const servers = { box: { command: 'node', args: ['inside.mjs'], env: { GIVEN: 'yes' } } };
    mcp = await connectMcp({ servers, sandbox, onProblem: () => {}, timeoutMs: 10_000 });
    expect(mcp.problems).toEqual([]);
  });
  afterEach(async () => {
    await mcp.close();
    await sandbox.dispose();
  });

  const textOf = (outcome: ToolOutcome) => (outcome.status === 'ok' ? String(outcome.output) : JSON.stringify(outcome));
  const call = (name: string) => createToolHost({ tools: mcp.tools }).call({ toolName: name, args: {} });
  const running = async () => (await sandbox.exec('cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" " "')).stdout;

  it('answers from inside: another user, no network, and nothing of this environment', {
    timeout: 60_000,
  }, async () => {
    const where = JSON.parse(textOf(await call('box__where')));
    expect(where.cwd).toBe('/workspace');
    expect(where.uid).not.toBe(0);
    expect(where.env).toContain('GIVEN');
    expect(where.env).not.toContain('npm_config_user_agent');
    expect(textOf(await call('box__reach'))).not.toBe('reached');
  });

  it('ends with its connection, while the sandbox goes on', { timeout: 60_000 }, async () => {
    expect(await running()).toContain('inside.mjs');
    await mcp.close();
    expect(await running()).not.toContain('node inside.mjs');
  });

  it('goes on however much it has said, and is ended by a message that is too long', { timeout: 60_000 }, async () => {
    for (let round = 0; round < 5; round += 1) expect(textOf(await call('box__much'))).toHaveLength(1024 * 1024);
    const reason = "MCP server 'box' is gone: it sent a message of more than 16 MiB";
    expect(await call('box__huge')).toMatchObject({ error: { message: expect.stringContaining(reason) } });
    expect(JSON.parse(textOf(await call('box__where'))).cwd).toBe('/workspace');
  });

  it('is named when it dies, and started inside again by the next call', { timeout: 60_000 }, async () => {
    expect(await call('box__die')).toMatchObject({
      error: { kind: 'mcp', message: expect.stringContaining("MCP server 'box' is gone: it exited with code 9") },
    });
    expect(JSON.parse(textOf(await call('box__where'))).cwd).toBe('/workspace');
    expect((await running()).match(/node inside\.mjs/g)).toHaveLength(1);
  });

  it('is named when its sandbox dies, and runs nowhere else', { timeout: 60_000 }, async () => {
    const again = await connectMcp({ servers: { box: { command: 'node', args: ['inside.mjs'] } }, sandbox });
    await sandbox.dispose();
    const [tool] = again.tools;
    const outcome = await createToolHost({ tools: again.tools }).call({ toolName: tool?.name ?? '', args: {} });
    expect(outcome).toMatchObject({ error: { kind: 'mcp', message: expect.stringContaining("MCP server 'box'") } });
    await again.close();
  });

  it('is named when its container is killed, and the next call says what became of it', {
    timeout: 60_000,
  }, async () => {
    const under = call('box__never');
    const container = await containerOf(engine, sandbox.id);
    await container.kill();
    expect(await under).toMatchObject({
      error: { kind: 'mcp', message: expect.stringContaining("MCP server 'box' is gone") },
    });
    const next = await call('box__where');
    const message = expect.stringMatching(/^Cannot connect MCP server 'box': The container was killed.*new session/);
    expect(next).toMatchObject({ error: { kind: 'mcp', message } });
  });
});
