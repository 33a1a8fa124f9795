import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SandboxUnavailableError } from '../../errors.js';

/**
 * Where a bundle of this package is.
 * @throws SandboxUnavailableError when the package was not built
 */
export function guestPath(name: string): string {
  for (let at = import.meta.dirname; ; at = dirname(at)) {
    const found = [join(at, 'dist', 'guest', name), join(at, 'guest', name)].find((path) => existsSync(path));
    if (found !== undefined) return found;
    if (at === dirname(at)) break;
  }
  throw new SandboxUnavailableError(
    `Cannot start the Docker sandbox: its part '${name}' is missing. Run \`npm run build\` or reinstall caisson`,
    { code: 'sandbox_start_failed' },
  );
}
