import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
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

  it.each([
    ['tail /dev/zero', /setup exited with 137 \(oom\)\. Raise 'limits\.memoryBytes'/],
    ['cat /dev/zero > big', /setup exited with 1 \(no_space\)\. Raise 'limits\.maxDiskBytes'/],
    ['sleep 60', /setup ended \(timeout\)\. Raise setup's 'timeoutMs'/],
  ])('a setup of %s says what it lacked', async (command, message) => {
    const limits = { memoryBytes: 256 * 1024 * 1024, maxDiskBytes: 16 * 1024 * 1024 };
    const session = open({ limits, setup: { command, network: 'none', timeoutMs: 3_000 } });
    await expect(session.start()).rejects.toThrow(message);
  });

  it('certificates that are no file, none at all or without end are refused, not waited for', async () => {
    const messages = ['/dev/zero', '/etc', '/etc/hostname', '/nowhere.pem'].map(async (caCertificates) => {
      const session = open({ caCertificates });
      return await session.start().catch((error: Error) => error.message.replace(/^.*certificates '/, ''));
    });
    expect(await Promise.all(messages)).toEqual([
      "/dev/zero' are no file",
      "/etc' are no file",
      "/etc/hostname' are not in PEM form (-----BEGIN CERTIFICATE-----)",
      "/nowhere.pem' cannot be read",
    ]);
  });

  it('certificates of the host are what Node is told of in addition and what the machine trusts', async () => {
    const made = await directory();
    const extra = join(made, 'extra.pem');
    const usual = join(made, 'usual.pem');
    await writeFile(extra, '-----BEGIN CERTIFICATE-----\nextra\n-----END CERTIFICATE-----');
    await writeFile(usual, '-----BEGIN CERTIFICATE-----\nusual\n-----END CERTIFICATE-----\n');
    vi.stubEnv('NODE_EXTRA_CA_CERTS', extra);
    vi.stubEnv('SSL_CERT_FILE', usual);
    try {
      const session = open({ caCertificates: 'host' });
      const { stdout } = await session.exec('grep -x "extra\\|usual" "$CURL_CA_BUNDLE"');
      expect(stdout).toBe('extra\nusual\n');
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('more processors than the machine has are refused by the name of the option', async () => {
    await expect(open({ cpus: 100_000 }).start()).rejects.toThrow(
      /option 'cpus' is 100000, and the engine's machine has \d+\. Ask for at most that many/,
    );
  });

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
