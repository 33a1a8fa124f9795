import { createBashTool } from 'bash-tool';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import {
  type AnyAiSdkSandboxSession,
  fromAiSdkSandbox,
  fromAiSdkTools,
  toAiSdkSandbox,
} from '../../../src/interop/ai-sdk/index.js';
import type { SandboxSession } from '../../../src/sandbox/contract.js';
import { createDockerSandbox } from '../../../src/sandbox/docker/create-docker-sandbox.js';
import { codingTools } from '../../../src/tools/index.js';
import { describeOnDocker } from '../../docker/engine.js';

describeOnDocker('the Docker sandbox as a sandbox of the AI SDK', () => {
  let sandbox: SandboxSession;
  beforeAll(async () => {
    sandbox = createDockerSandbox();
    await sandbox.start();
  });
  afterAll(() => sandbox.dispose());

  it('bash-tool runs its three tools on it unchanged, through a host', async () => {
    const { tools } = await createBashTool({ sandbox: toAiSdkSandbox(sandbox), files: { 'data.txt': 'b\na\n' } });
    const host = createToolHost({ tools: fromAiSdkTools(tools) });
    const ok = async (toolName: string, args: unknown) => {
      const outcome = await host.call({ toolName, args });
      return outcome.status === 'ok' ? outcome.output : outcome;
    };
    expect(await ok('bash', { command: 'sort data.txt; pwd; uname' })).toMatchObject({
      exitCode: 0,
      stdout: 'a\nb\n/workspace\nLinux\n',
    });
    expect(await ok('writeFile', { path: 'new/file.txt', content: 'made' })).toEqual({ success: true });
    expect(await ok('readFile', { path: 'new/file.txt' })).toEqual({ content: 'made' });
    expect(await ok('readFile', { path: 'missing' })).toMatchObject({
      error: { kind: 'execution', code: 'not_found' },
    });
  });

  it('A24: spawn has a writable stdin, streams, a number and an end', async () => {
    const session = toAiSdkSandbox(sandbox);
    const process = await session.spawn({ command: 'read line; echo "got $line"; exit 3', stdin: true });
    expect(process.pid).toBeGreaterThan(1);
    const writer = process.stdin.getWriter();
    await writer.write(Buffer.from('hello\n'));
    const output = Buffer.concat(await Array.fromAsync(process.stdout)).toString();
    expect(output).toBe('got hello\n');
    expect(await process.wait()).toEqual({ exitCode: 3 });
    const endless = await session.spawn({ command: 'sleep 300', stdin: true });
    await endless.kill();
    expect((await endless.wait()).exitCode).not.toBe(0);
  });

  it('A24: its files are those of the commands, and what is missing is null', async () => {
    const session = toAiSdkSandbox(sandbox);
    await session.writeBinaryFile({ path: 'bytes', content: Uint8Array.of(0, 255, 10) });
    expect(await session.run({ command: 'od -An -tx1 bytes | tr -d " "' })).toMatchObject({ stdout: '00ff0a\n' });
    expect(await session.stat({ path: 'bytes' })).toEqual({ type: 'file', size: 3 });
    expect(await session.readFile({ path: 'missing' })).toBeNull();
    expect(await session.deleteFile({ path: 'bytes' })).toBe(true);
    expect(await session.deleteFile({ path: 'bytes' })).toBe(false);
  });

  it('comes back as itself, and as any other session serves the coding tools of a host', async () => {
    expect(fromAiSdkSandbox(toAiSdkSandbox(sandbox))).toBe(sandbox);
    const { executeCommand, writeFiles, ...session } = toAiSdkSandbox(sandbox);
    const host = createToolHost({ sandbox: fromAiSdkSandbox(session as AnyAiSdkSandboxSession), tools: codingTools() });
    await host.call({ toolName: 'write_file', args: { path: 'a.txt', content: 'hello' } });
    const outcome = await host.call({ toolName: 'shell', args: { command: 'cat a.txt; exit 2' } });
    expect(outcome).toMatchObject({ status: 'ok', output: { stdout: 'hello', exitCode: 2 } });
  });
});
