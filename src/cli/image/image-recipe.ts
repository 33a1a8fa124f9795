import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { DEFAULT_IMAGE } from '../../sandbox/docker/default-image.js';

/** `debian` needs root and debootstrap and no image registry; `dockerfile` needs an image registry. */
export type RecipeName = 'debian' | 'dockerfile';

export interface ImageRecipe {
  name: RecipeName;
  tag: string;
  command: string;
  args: string[];
}

export interface ImageOptions {
  /** The package's own directory, which holds `images/` and `Dockerfile.sandbox`. */
  root: string;
  toolchain: boolean;
  /** Default: `debian` where this machine can do it. */
  recipe?: RecipeName;
}

/** The command that builds the default image on this machine. */
export function imageRecipe({ root, toolchain, recipe = usualRecipe() }: ImageOptions): ImageRecipe {
  const tag = toolchain ? `${DEFAULT_IMAGE}-toolchain` : DEFAULT_IMAGE;
  const extra = toolchain ? packagesOf(join(root, 'images/toolchain.txt')) : [];
  if (recipe === 'debian') {
    // Through `sh`: a package manager may not keep the mode bits of a script.
    const script = join(root, 'images/build-base.sh');
    return { name: recipe, tag, command: 'sh', args: [script, tag, process.execPath, ...extra] };
  }
  const build = extra.length === 0 ? [] : ['--build-arg', `EXTRA_PACKAGES=${extra.join(' ')}`];
  const args = ['build', '--file', join(root, 'Dockerfile.sandbox'), '--tag', tag, ...build, root];
  return { name: recipe, tag, command: 'docker', args };
}

function usualRecipe(): RecipeName {
  return process.getuid?.() === 0 && hasProgram('debootstrap') ? 'debian' : 'dockerfile';
}

export function hasProgram(name: string): boolean {
  const directories = (process.env.PATH ?? '').split(delimiter).filter((directory) => directory !== '');
  return directories.some((directory) => {
    try {
      accessSync(join(directory, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function packagesOf(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '');
}
