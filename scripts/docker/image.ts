import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Builds the default sandbox image with no image registry.
 *
 *   node scripts/docker/image.ts [--if-missing] [--toolchain]
 */
const root = join(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const toolchain = process.argv.includes('--toolchain');
const tag = `caisson-sandbox:${version}${toolchain ? '-toolchain' : ''}`;

if (process.argv.includes('--if-missing') && imageExists(tag)) {
  console.log(`${tag} is there`);
} else {
  const bundled = join(root, 'node_modules/node/bin/node');
  const result = spawnSync(
    join(root, 'images/build-base.sh'),
    [tag, existsSync(bundled) ? bundled : process.execPath, ...(toolchain ? toolchainPackages() : [])],
    { stdio: 'inherit' },
  );
  process.exitCode = result.status ?? 1;
}

function toolchainPackages(): string[] {
  const lines = readFileSync(join(root, 'images/toolchain.txt'), 'utf8').split('\n');
  return lines.map((line) => line.replace(/#.*/, '').trim()).filter((line) => line !== '');
}

function imageExists(name: string): boolean {
  return spawnSync('docker', ['image', 'inspect', name], { stdio: 'ignore' }).status === 0;
}
