import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Attacks } from '../attack.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Each further one is argued for before this number moves. */
const MAX_DEPENDENCIES = 14;
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare'];

/**
 * isolated-vm's script fetches its prebuilt binary. The others come with dockerode: they only speed up or greet, nothing
 * of ours needs them to run, and this project does not let them.
 */
const WITH_INSTALL_SCRIPT = ['isolated-vm', 'cpu-features', 'ssh2', 'protobufjs'];
const BUILD_TOOLS = ['node', 'esbuild'];

interface LockedPackage {
  dev?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
  resolved?: string;
  integrity?: string;
  link?: boolean;
}

export const supply: Attacks = {
  'HOST-035': async () => {
    const manifest = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
    const scripts = Object.keys(manifest.scripts);
    expect(scripts.filter((name) => INSTALL_SCRIPTS.includes(name))).toEqual([]);
    expect(Object.keys(manifest.dependencies).length).toBeLessThanOrEqual(MAX_DEPENDENCIES);
    for (const [name, range] of Object.entries(manifest.dependencies))
      expect(range, name).toMatch(/^[\^~]?\d+\.\d+\.\d+/);

    const lock = JSON.parse(readFileSync(`${ROOT}package-lock.json`, 'utf8')) as {
      packages: Record<string, LockedPackage>;
    };
    const installed = Object.entries(lock.packages).filter(
      ([path, entry]) => path !== '' && entry.dev !== true && entry.link !== true,
    );
    const allowed = Object.keys(manifest.allowScripts).filter((name) => manifest.allowScripts[name] === true);
    const running = installed.filter(([, entry]) => entry.hasInstallScript === true).map(([path]) => path);
    expect(running).toContain('node_modules/isolated-vm');
    expect(
      running
        .map((path) => path.replace(/^.*node_modules\//, ''))
        .filter((name) => !WITH_INSTALL_SCRIPT.includes(name)),
    ).toEqual([]);
    expect(allowed.filter((name) => !['isolated-vm', ...BUILD_TOOLS].includes(name))).toEqual([]);
    const unpinned = Object.entries(lock.packages).filter(
      ([path, entry]) => path !== '' && entry.link !== true && !entry.integrity?.startsWith('sha512-'),
    );
    expect(unpinned.map(([path]) => path)).toEqual([]);

    const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [{ files }] = JSON.parse(packed) as [{ files: { path: string; mode: number }[] }];
    const paths = files.map((file) => file.path);
    expect(paths).toContain('package.json');
    expect(paths.filter((path) => /(^|\/)(test|src|node_modules|\.env|\.git|\.npmrc)(\/|$)|attack/.test(path))).toEqual(
      [],
    );
    expect(files.filter((file) => (file.mode & 0o022) !== 0)).toEqual([]);
  },
};
