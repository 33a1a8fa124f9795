import { existsSync, realpathSync } from 'node:fs';
import type { AgentInit } from '../../protocol/container.js';
import type { Launcher } from '../commands/launcher.js';

/**
 * Gives HOME a Python virtual environment and an npm prefix, so that `pip install` and `npm install -g` have a place on
 * a read-only root. Done by the commands' own user, in the background; a session does not wait for it.
 */
export function prepareHome(init: AgentInit, launcher: Launcher): void {
  const home = init.env.HOME;
  if (home === undefined || init.workspace !== '/workspace') return;
  const python = ['/usr/bin/python3', '/usr/local/bin/python3'].find((path) => existsSync(path));
  const steps = [`mkdir -p ${home}/.npm-global/lib ${home}/.npm-global/bin ${home}/.local/bin`];
  const version = python === undefined ? undefined : versionOf(python);
  if (python !== undefined && version !== undefined)
    steps.push(...virtualEnvironment(`${home}/.venv`, { python, version }));
  const child = launcher.launch({
    argv: ['/bin/sh', '-c', steps.join(' && ')],
    cwd: '/',
    env: { PATH: init.env.PATH ?? '/usr/bin:/bin', HOME: home },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  child.once('error', () => {});
}

/** What `python3 -m venv --system-site-packages` makes, without the half second it takes: pip comes from the image. */
function virtualEnvironment(directory: string, { python, version }: { python: string; version: string }): string[] {
  const bin = `${directory}/bin`;
  return [
    `mkdir -p ${bin} ${directory}/lib/python${version}/site-packages`,
    `printf 'home = %s\\ninclude-system-site-packages = true\\nversion = %s\\n' ${python.replace(/\/[^/]*$/, '')} ${version} > ${directory}/pyvenv.cfg`,
    `printf '#!/bin/sh\\nexec "$(dirname "$0")/python" -m pip "$@"\\n' > ${bin}/pip`,
    `chmod 755 ${bin}/pip`,
    `ln -sf pip ${bin}/pip3`,
    `ln -sf ${python} ${bin}/python3`,
    `ln -sf python3 ${bin}/python`,
  ];
}

/** By its own file's name: running it to ask would take longer than everything else here. */
function versionOf(python: string): string | undefined {
  return /python(3\.\d+)$/.exec(realpathSync(python))?.[1];
}
