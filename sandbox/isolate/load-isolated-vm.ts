import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type ivm from 'isolated-vm';

/**
 * Loads isolated-vm's binary itself. The package's own loader looks for `/etc/alpine-release` and into other packages,
 * which the worker may not read. Where the package lies is said by the host, which may look through the links that
 * pnpm and `npm link` make.
 */
export function loadIsolatedVm(): typeof ivm {
  const require = createRequire(import.meta.url);
  const root = process.argv[2] ?? dirname(require.resolve('isolated-vm/package.json'));
  const candidates = binaries(root).filter((path) => existsSync(path));
  const errors: unknown[] = [];
  for (const path of candidates) {
    try {
      return (require(path) as { ivm: typeof ivm }).ivm;
    } catch (error) {
      // The build for the other C library: it does not load, and nothing has happened.
      errors.push(error);
    }
  }
  throw new Error(
    `Cannot load isolated-vm: it has no build for Node ${process.versions.node} on ${process.platform}-${process.arch}. Use Node 24 or 26`,
    { cause: errors },
  );
}

/** Where a build may be, a locally compiled one first. */
function binaries(root: string): string[] {
  const directory = join(root, 'prebuilds', `${process.platform}-${process.arch}`);
  const name = `isolated-vm.abi${process.versions.modules}`;
  return [
    join(root, 'build', 'Release', 'isolated_vm.node'),
    ...['.glibc', '.musl', ''].map((libc) => join(directory, `${name}${libc}.node`)),
  ];
}
