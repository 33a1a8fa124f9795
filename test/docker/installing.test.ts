import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { SandboxSession } from '../../src/sandbox/contract.js';
import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import type { DockerSandboxOptions } from '../../src/sandbox/docker/options.js';
import { describeOnDocker, leftovers } from './engine.js';

const MiB = 1024 * 1024;

/** A package with a prebuilt native binary. */
const PACKAGE = {
  name: 'uses-a-native-binary',
  version: '1.0.0',
  scripts: { test: 'node test.js' },
  dependencies: { esbuild: '0.25.0' },
};
const TEST =
  "const { transformSync } = require('esbuild');\nconst { code } = transformSync('let x: number = 1', { loader: 'ts' });\nif (!code.includes('let x = 1')) process.exit(1);\nconsole.log('native ok');\n";

describeOnDocker('installing on a read-only root', (engine) => {
  const sessions: SandboxSession[] = [];
  const directories: string[] = [];

  afterEach(async () => {
    await Promise.all(sessions.splice(0).map((session) => session.dispose()));
    await Promise.all(directories.splice(0).map((directory) => rm(directory, { recursive: true, force: true })));
  });

  const directory = async (): Promise<string> => {
    const made = await mkdtemp(join(tmpdir(), 'caisson-install-'));
    directories.push(made);
    return made;
  };
  const open = (options: DockerSandboxOptions): SandboxSession => {
    const session = createDockerSandbox(options);
    sessions.push(session);
    return session;
  };

  it('npm ci of a package with a native binary works in setup, and its tests run with the network verifiably gone', async () => {
    const root = await directory();
    await writeFile(join(root, 'package.json'), JSON.stringify(PACKAGE));
    await writeFile(join(root, 'test.js'), TEST);
    execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: root,
      stdio: 'ignore',
    });
    const session = open({
      workspace: root,
      workspaceMode: 'overlay',
      setup: { command: 'npm ci --no-audit --no-fund' },
      caCertificates: 'host',
      limits: { memoryBytes: 1536 * MiB, maxDiskBytes: 700 * MiB },
    });
    const tested = await session.exec('npm test');
    expect([tested.exitCode, tested.stdout]).toEqual([0, expect.stringContaining('native ok')]);
    expect((await session.exec('ls /sys/class/net')).stdout).toBe('lo\n');
    const denied = await session.exec('curl -sS -m 5 https://example.com');
    expect(denied.cause).toBe('network_denied');
    await session.dispose();
    expect(await leftovers(engine)).toEqual([]);
  }, 120_000);

  it('pip installs a local pure package, and a local wheel with a compiled extension, into the environment first on PATH', async () => {
    const session = open({ limits: { memoryBytes: 1024 * MiB } });
    await session.fs.writeFile(
      'pure/pyproject.toml',
      '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n[project]\nname = "pure-one"\nversion = "1.0"\n',
    );
    await session.fs.writeFile('pure/pure_one.py', 'ANSWER = 42\n');
    const pure = await session.exec(
      'pip install --no-index --no-build-isolation ./pure && python -c "import pure_one; print(pure_one.ANSWER)"',
      { timeoutMs: 60_000 },
    );
    expect([pure.exitCode, pure.stdout.trim().split('\n').at(-1)]).toEqual([0, '42']);
    await makeWheel(session);
    const compiled = await session.exec(
      'pip install --no-index compiled_one-1.0-*.whl && python -c "import compiled_one; print(compiled_one.__file__)"',
      { timeoutMs: 60_000 },
    );
    expect([compiled.exitCode, compiled.stdout.trim().split('\n').at(-1)]).toEqual([
      0,
      expect.stringMatching(/^\/home\/agent\/\.venv\/.*\.so$/),
    ]);
    expect((await session.exec('touch /usr/lib/python3/x')).exitCode).not.toBe(0);
  }, 120_000);

  it('a setup that fails is a failure to start, with the end of its output, and leaves nothing', async () => {
    const session = open({ setup: { command: 'echo almost there; echo why >&2; exit 3' } });
    await expect(session.start()).rejects.toThrow(/setup exited with 3[\s\S]*almost there[\s\S]*why/);
    await session.dispose();
    expect(await leftovers(engine)).toEqual([]);
  });

  it('network: full gives commands a network of their own', async () => {
    const session = open({ network: 'full' });
    expect((await session.exec('ls /sys/class/net')).stdout).toContain('eth0');
    expect(session.capabilities.network).toBe('full');
    await session.dispose();
    expect(await leftovers(engine)).toEqual([]);
  });
});

/** A wheel with a compiled extension: made from one that CPython itself carries, since nothing may compile here. */
async function makeWheel(session: SandboxSession): Promise<void> {
  const made = await session.exec(`python3 - <<'E'
import glob, os, sysconfig, zipfile
so = sorted(glob.glob('/usr/lib/python3*/lib-dynload/_json.*.so'))[0]
tag = 'cp311-cp311-linux_' + os.uname().machine
data = open(so, 'rb').read()
init = 'from . import _json\\n__file__ = _json.__file__\\n'
with zipfile.ZipFile('compiled_one-1.0-' + tag + '.whl', 'w') as w:
    w.writestr('compiled_one/__init__.py', init)
    w.writestr('compiled_one/_json' + sysconfig.get_config_var('EXT_SUFFIX'), data)
    w.writestr('compiled_one-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: compiled-one\\nVersion: 1.0\\n')
    w.writestr('compiled_one-1.0.dist-info/WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: false\\nTag: ' + tag + '\\n')
    w.writestr('compiled_one-1.0.dist-info/RECORD', '')
E`);
  expect([made.exitCode, made.stderr]).toEqual([0, '']);
}
