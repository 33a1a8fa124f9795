import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** What the design names; a caller's import must never break. */
const PUBLIC_NAMES = [
  'createToolHost',
  'createAuditLog',
  'defineTool',
  'fromJsonSchema',
  'ToolRegistry',
  'toolErrorResult',
  'PropagatingToolError',
  'createIsolateSandbox',
  'createDockerSandbox',
  'createSandboxPool',
  'createFsTools',
  'createSearchTools',
  'createShellTool',
  'codingTools',
  'parsePolicy',
  'evaluatePermission',
  'explainPermission',
  'SandboxError',
  'SandboxRequiredError',
  'SandboxNotConfiguredError',
  'SandboxUnavailableError',
  'SandboxCrashedError',
  'SandboxTimeoutError',
  'SandboxAbortError',
  'ERROR_CODES',
  'DEFAULT_LIMITS',
];

describe('the package', () => {
  it('importing it loads no native module and starts no process', async () => {
    const script = `
      import { spawn } from 'node:child_process';
      const before = new Set(process.report.getReport().sharedObjects);
      await import('caisson');
      const { readFileSync } = await import('node:fs');
      const loaded = process.report.getReport().sharedObjects.filter((path) => path.endsWith('.node') && !before.has(path));
      const children = process.platform === 'linux' ? readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8') : '';
      console.log(JSON.stringify({ loaded, children }));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT });
    expect(JSON.parse(stdout)).toEqual({ loaded: [], children: '' });
  });

  it("'auto' without the client of an engine is the isolate, and says what to install", async () => {
    const script = `
      import { registerHooks } from 'node:module';
      registerHooks({ resolve(name, context, next) {
        if (name === 'dockerode') throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
        return next(name, context);
      } });
      const { createToolHost } = await import('caisson');
      process.env.DOCKER_HOST = 'unix:///var/run/docker.sock';
      const started = [];
      await using host = createToolHost({ sandbox: 'auto', onEvent: (event) => started.push(event) });
      await host.ready();
      console.log(JSON.stringify(started));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT });
    expect(JSON.parse(stdout)).toMatchObject([
      {
        sandbox: { name: 'isolate' },
        passedOver: [{ name: 'docker', reason: expect.stringContaining('npm install dockerode') }],
      },
    ]);
  });

  it('importing it loads no framework, no client of an engine and no isolated-vm; a container that starts loads the client', async () => {
    const script = `
      import { registerHooks } from 'node:module';
      const loaded = new Set();
      registerHooks({ load(url, context, next) {
        for (const name of ['dockerode', 'isolated-vm', 'ai', '@hoangvvo', '@modelcontextprotocol', 'openai', '@anthropic-ai']) if (url.includes('/node_modules/' + name + '/')) loaded.add(name);
        return next(url, context);
      } });
      const { createDockerSandbox } = await import('caisson');
      const sandbox = createDockerSandbox({ engine: 'unix:///nowhere' });
      const before = [...loaded];
      const failure = await sandbox.start().catch((error) => error.code);
      console.log(JSON.stringify({ before, after: [...loaded], failure }));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT });
    expect(JSON.parse(stdout)).toEqual({ before: [], after: ['dockerode'], failure: 'engine_unreachable' });
  });

  it('names the unsafe host in a subpath of its own only', async () => {
    const script = `
      const main = Object.keys(await import('caisson')).filter((name) => /unsafe/i.test(name));
      console.log(JSON.stringify({ main, own: Object.keys(await import('caisson/unsafe-host')) }));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT });
    expect(JSON.parse(stdout)).toEqual({ main: [], own: ['createUnsafeHostSandbox'] });
  });

  it('exports every public name', async () => {
    const script = `console.log(JSON.stringify(Object.keys(await import('caisson'))))`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT });
    expect(JSON.parse(stdout)).toEqual(expect.arrayContaining(PUBLIC_NAMES));
  });

  it('every subpath it exports is built, with types', () => {
    const targets = Object.values(manifest.exports).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target as Record<string, string>),
    );
    expect(targets.filter((target) => !existsSync(join(ROOT, target)))).toEqual([]);
  });

  it('every file it promises to carry is there', () => {
    expect(manifest.files.filter((file: string) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});
