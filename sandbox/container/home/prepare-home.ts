import { chmodSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { AgentInit } from '../../protocol/container.js';
import { asUser } from './as-user.js';

/**
 * Gives HOME a Python virtual environment and an npm prefix, so that `pip install` and `npm install -g` have a place on
 * a read-only root. Before the first command, which would otherwise find the programs of the image there or not, as it
 * happens. A home that cannot be written stays as it is.
 */
export function prepareHome(init: AgentInit): void {
  const home = init.env.HOME;
  if (home === undefined || init.workspace !== '/workspace') return;
  try {
    asUser(init, () => furnish(home));
  } catch {
    // Commands then find what the image has.
  }
}

function furnish(home: string): void {
  for (const directory of ['.npm-global/lib', '.npm-global/bin', '.local/bin'])
    mkdirSync(`${home}/${directory}`, { recursive: true });
  const python = ['/usr/bin/python3', '/usr/local/bin/python3'].find((path) => existsSync(path));
  // By its own file's name: running it to ask would take longer than everything else here.
  const version = python === undefined ? undefined : /python(3\.\d+)$/.exec(basename(realpathSync(python)))?.[1];
  if (python !== undefined && version !== undefined) makeVirtualEnvironment(`${home}/.venv`, { python, version });
}

/** What `python3 -m venv --system-site-packages` makes, without the half second it takes: pip comes from the image. */
function makeVirtualEnvironment(directory: string, { python, version }: { python: string; version: string }): void {
  const bin = `${directory}/bin`;
  mkdirSync(bin, { recursive: true });
  mkdirSync(`${directory}/lib/python${version}/site-packages`, { recursive: true });
  // Only where nothing is: a home may be the user's own, and what lies there a pipe that nobody reads.
  const flag = 'wx';
  const configuration = `home = ${dirname(python)}\ninclude-system-site-packages = true\nversion = ${version}\n`;
  writeFileSync(`${directory}/pyvenv.cfg`, configuration, { flag });
  writeFileSync(`${bin}/pip`, '#!/bin/sh\nexec "$(dirname "$0")/python" -m pip "$@"\n', { flag });
  chmodSync(`${bin}/pip`, 0o755);
  symlinkSync('pip', `${bin}/pip3`);
  symlinkSync(python, `${bin}/python3`);
  symlinkSync('python3', `${bin}/python`);
}
