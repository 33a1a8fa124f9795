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
