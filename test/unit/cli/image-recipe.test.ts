import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { hasProgram, imageRecipe } from '../../../src/cli/image/image-recipe.js';
import { DEFAULT_IMAGE } from '../../../src/sandbox/docker/default-image.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

describe('imageRecipe', () => {
  it('debian runs the script of the package with the default name and this Node', () => {
    const recipe = imageRecipe({ root, toolchain: false, recipe: 'debian' });
    expect(recipe).toMatchObject({ name: 'debian', tag: DEFAULT_IMAGE, command: 'sh' });
    const [script = '', ...args] = recipe.args;
    expect(existsSync(script)).toBe(true);
    expect(args).toEqual([DEFAULT_IMAGE, process.execPath]);
  });

  it('dockerfile builds the file of the package', () => {
    const { command, args } = imageRecipe({ root, toolchain: false, recipe: 'dockerfile' });
    expect([command, args[0], args.at(-1)]).toEqual(['docker', 'build', root]);
    expect(existsSync(args[args.indexOf('--file') + 1] ?? '')).toBe(true);
    expect(args[args.indexOf('--tag') + 1]).toBe(DEFAULT_IMAGE);
    expect(args).not.toContain('--build-arg');
  });

  it.each(['debian', 'dockerfile'] as const)('%s with a toolchain has a name of its own and a compiler', (recipe) => {
    const { tag, args } = imageRecipe({ root, toolchain: true, recipe });
    expect(tag).toBe(`${DEFAULT_IMAGE}-toolchain`);
    expect(args.join(' ')).toMatch(/\bgcc g\+\+ libc6-dev pkg-config python3-dev\b/);
  });
});

describe('hasProgram', () => {
  it('looks for it on PATH', () => {
    expect([hasProgram('sh'), hasProgram('caisson-no-such-program')]).toEqual([true, false]);
  });
});
