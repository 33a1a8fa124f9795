import { connectEngine, type Engine } from './engine/engine.js';
import { reap } from './reaper.js';

const KEPT_MS = 30_000;

const engines = new Map<string, { engine: Promise<Engine>; at: number }>();

/**
 * The engine of a session. Who it is was found out a moment ago for the session before. The first use in a process also
 * removes what dead owners left there; a session does not wait for that. `signal` ends the search for who has something
 * else to use.
 * @throws SandboxUnavailableError `engine_unreachable`
 */
export function engineFor(explicit: string | undefined, signal?: AbortSignal): Promise<Engine> {
  const key = keyOf(explicit);
  const known = engines.get(key);
  if (known !== undefined && performance.now() - known.at < KEPT_MS) return known.engine;
  const engine = connectEngine(explicit, signal);
  engines.set(key, { engine, at: performance.now() });
  engine.then(
    ({ docker }) => (known === undefined ? reap(docker).catch(() => {}) : undefined),
    () => engines.delete(key),
  );
  return engine;
}

/** Its word is not taken any more: it stopped answering. */
export function forgetEngine(explicit: string | undefined): void {
  engines.delete(keyOf(explicit));
}

function keyOf(explicit: string | undefined): string {
  const { DOCKER_HOST, DOCKER_CONTEXT } = process.env;
  return explicit ?? JSON.stringify([DOCKER_HOST, DOCKER_CONTEXT]);
}
