import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { SandboxUnavailableError } from '../errors.js';

/** Where the worker's code lies, and every directory the worker must be able to read to run it. */
export interface GuestCode {
  worker: string;
  shell: string;
  /** Real path of the package's directory. */
  isolatedVm: string;
  readable: string[];
}

let found: GuestCode | undefined;

/** @throws SandboxUnavailableError when the package was not built or isolated-vm is not installed */
export function findGuestCode(): GuestCode {
  found ??= locate();
  return found;
}

function locate(): GuestCode {
  const directory = guestDirectory();
  const require = createRequire(join(directory, 'worker.js'));
  const isolatedVm = packageDirectory(require, 'isolated-vm');
  return {
    worker: join(directory, 'worker.js'),
    shell: join(directory, 'shell.js'),
    isolatedVm,
    readable: [directory, isolatedVm],
  };
}

/** `dist/guest` of this package, whether this runs from `dist/` or from the sources. */
function guestDirectory(): string {
  for (let at = import.meta.dirname; ; at = dirname(at)) {
    const candidate = join(at, 'dist', 'guest');
    if (existsSync(join(candidate, 'worker.js'))) return candidate;
    if (at === dirname(at)) break;
  }
  throw new SandboxUnavailableError(
    'Cannot start the isolate sandbox: its worker code is missing. Run `npm run build` or reinstall caisson',
    { code: 'sandbox_start_failed' },
  );
}

function packageDirectory(require: NodeJS.Require, name: string): string {
  try {
    return dirname(require.resolve(`${name}/package.json`));
  } catch (cause) {
    throw new SandboxUnavailableError(
      `Cannot start the isolate sandbox: the package '${name}' is not installed. Run \`npm install ${name}\``,
      { code: 'sandbox_start_failed', cause },
    );
  }
}
