import { SandboxUnavailableError } from '../errors.js';
import { DEFAULT_IMAGE } from './default-image.js';
import { engineFor } from './engine-cache.js';

/** Whoever asks has something else to use: an engine that is slower than this is passed over. */
const PATIENCE_MS = 1_000;

/**
 * Makes sure, within a second, that a container of the default image could be made on this machine's engine.
 * @throws SandboxUnavailableError `engine_unreachable` or `image_missing`, with what to do
 */
export async function requireEngine(): Promise<void> {
  const abortSignal = AbortSignal.timeout(PATIENCE_MS);
  const { docker } = await engineFor(undefined, abortSignal);
  // The client can abort a list and not an inspect.
  const filters = JSON.stringify({ reference: [DEFAULT_IMAGE] });
  const images = await docker.listImages({ filters, abortSignal }).catch((cause: unknown) => {
    throw new SandboxUnavailableError(
      abortSignal.aborted
        ? `The engine did not say within ${PATIENCE_MS / 1000} s whether it has the image`
        : 'The engine did not say whether it has the image',
      { code: 'engine_unreachable', cause },
    );
  });
  if (images.length > 0) return;
  throw new SandboxUnavailableError(
    `The image '${DEFAULT_IMAGE}' is not on the engine. Run \`npx caisson image build\``,
    { code: 'image_missing' },
  );
}
