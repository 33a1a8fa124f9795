import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Command, Option } from 'commander';
import { SandboxUnavailableError } from '../../sandbox/errors.js';
import { EXIT } from '../exit-code.js';
import { hasProgram, type ImageRecipe, imageRecipe, type RecipeName } from '../image/image-recipe.js';
import { withInterrupt } from '../interrupt.js';
import { printNote } from '../terminal/print.js';

interface ImageBuildOptions {
  toolchain?: boolean;
  ifMissing?: boolean;
  recipe?: RecipeName;
}

const EXAMPLES = `
Examples:
  $ caisson image build                # what --sandbox docker uses
  $ caisson image build --toolchain    # with a C toolchain; named ...-toolchain
  $ sudo caisson image build --recipe debian

Recipes: debian makes the image from Debian packages and this machine's Node, with no image registry; it needs root,
debootstrap and a Debian mirror in apt's configuration. dockerfile builds Dockerfile.sandbox from public base images.
Both need the docker program. Without --recipe it is debian where this machine can do it.`;

/** `caisson image`: the image that the Docker backend runs. */
export function imageCommand(setExitCode: (code: number) => void): Command {
  const build = new Command('build')
    .description('build the default sandbox image on the engine')
    .option('--toolchain', 'with a C toolchain, under a name of its own')
    .option('--if-missing', 'do nothing when the image is there')
    .addOption(new Option('--recipe <name>', 'how').choices(['debian', 'dockerfile']))
    .addHelpText('after', EXAMPLES)
    .action(async (options: ImageBuildOptions) => {
      setExitCode(await withInterrupt((signal) => buildImage(options, signal)));
    });
  return new Command('image')
    .description('make the image of the Docker backend')
    .addHelpText('after', EXAMPLES)
    .addCommand(build);
}

async function buildImage(options: ImageBuildOptions, signal: AbortSignal): Promise<number> {
  const recipe = imageRecipe({
    // The package's own directory: this file is built into `dist`.
    root: fileURLToPath(new URL('..', import.meta.url)),
    toolchain: options.toolchain === true,
    ...(options.recipe === undefined ? {} : { recipe: options.recipe }),
  });
  const { inspectEngine } = await import('../../sandbox/docker/index.js');
  const engine = await inspectEngine(recipe.tag);
  if (!engine.reachable) throw new SandboxUnavailableError(engine.reason, { code: 'engine_unreachable' });
  if (options.ifMissing && engine.imagePresent) {
    printNote(`${recipe.tag} is there`);
    return EXIT.ok;
  }
  if (!hasProgram('docker')) {
    throw new SandboxUnavailableError(
      `Cannot build ${recipe.tag}: the docker program is not on PATH. Install Docker's command line`,
    );
  }
  const started = performance.now();
  printNote(`Building ${recipe.tag} (recipe: ${recipe.name}) on ${engine.endpoint}`);
  const code = await runRecipe(recipe, { endpoint: engine.endpoint, signal });
  if (code !== 0) {
    printNote(`Cannot build ${recipe.tag}: ${recipe.command} ended with ${code}; what it printed says why`);
    return EXIT.failed;
  }
  printNote(`${recipe.tag} is ready after ${((performance.now() - started) / 1000).toFixed(0)} s`);
  return EXIT.ok;
}

/** Its output is the progress. The same engine is used that sandboxes will find. */
function runRecipe(
  { command, args }: ImageRecipe,
  { endpoint, signal }: { endpoint: string; signal: AbortSignal },
): Promise<number | string> {
  const { promise, resolve, reject } = Promise.withResolvers<number | string>();
  const child = spawn(command, args, {
    stdio: ['ignore', process.stderr, process.stderr],
    env: { ...process.env, DOCKER_HOST: endpoint },
  });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  child.on('error', reject).on('close', (code, ended) => {
    signal.removeEventListener('abort', stop);
    resolve(code ?? ended ?? 1);
  });
  return promise;
}
