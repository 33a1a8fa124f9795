import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { SandboxSession } from '../../src/sandbox/contract.js';
import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import type { DockerSandboxOptions } from '../../src/sandbox/docker/options.js';
import { compileExtension, MAKE_WHEEL } from './compiled-extension.js';
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
    const tested = await session.exec('npm test && file -L node_modules/@esbuild/*/bin/esbuild');
    expect([tested.exitCode, tested.stdout]).toEqual([0, expect.stringMatching(/native ok[\s\S]* ELF .* executable/)]);
    expect((await session.exec('ls /sys/class/net')).stdout).toBe('lo\n');
    expect((await session.exec('touch /usr/lib/x')).stderr).toMatch(/Read-only file system/);
    const denied = await session.exec('curl -sS -m 5 https://example.com');
    expect(denied.cause).toBe('network_denied');
    await session.dispose();
    expect(await leftovers(engine)).toEqual([]);
  }, 120_000);

  it('pip installs a local pure package and a wheel with a compiled extension into the environment, in setup, and both work with the network verifiably gone', async () => {
    const root = await directory();
    await mkdir(join(root, 'pure'));
    await writeFile(
      join(root, 'pure/pyproject.toml'),
      '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n[project]\nname = "pure-one"\nversion = "1.0"\n',
    );
    await writeFile(join(root, 'pure/pure_one.py'), 'ANSWER = 42\n');
    await writeFile(join(root, '_compiled_one.abi3.so'), compileExtension());
    const session = open({
      workspace: root,
      workspaceMode: 'overlay',
      limits: { memoryBytes: 1024 * MiB },
      setup: {
        command: `set -e
ls /sys/class/net > /tmp/nets
pip install --no-index --no-build-isolation ./pure
${MAKE_WHEEL}
pip install --no-index ./compiled_one-1.0-*.whl`,
      },
    });
    const used = await session.exec(
      'python -c "import pure_one, compiled_one as c; print(pure_one.ANSWER, c.add(40, 2), c.__file__)"; pip list 2>/dev/null | grep -c "^\\(compiled-one\\|pure-one\\) "',
    );
    expect([used.exitCode, used.stdout, used.stderr]).toEqual([
      0,
      expect.stringMatching(/^42 42 \/home\/agent\/\.venv\/lib\/\S+\/compiled_one\/__init__\.py\n2\n$/),
      '',
    ]);
    // Setup had a network, commands have none, and the system can be written by neither.
    expect((await session.exec('cat /tmp/nets; echo; ls /sys/class/net')).stdout).toMatch(/eth0[\s\S]*\n\nlo\n$/);
    expect((await session.exec('curl -sS -m 5 http://1.1.1.1')).cause).toBe('network_denied');
    expect((await session.exec('touch /usr/lib/python3/x')).stderr).toMatch(/Read-only file system/);
    await session.dispose();
    expect(await leftovers(engine)).toEqual([]);
  }, 240_000);

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
