import { connectEngine, type Engine } from './engine.js';
import { reap } from './reaper.js';

const KEPT_MS = 30_000;

const engines = new Map<string, { engine: Promise<Engine>; at: number }>();

/**
 * The engine of a session. Who it is was found out a moment ago for the session before. The first use in a process also
 * removes what dead owners left there; a session does not wait for that.
 * @throws SandboxUnavailableError `engine_unreachable`
 */
export function engineFor(explicit: string | undefined): Promise<Engine> {
  const key = explicit ?? process.env.DOCKER_HOST ?? '';
  const known = engines.get(key);
  if (known !== undefined && performance.now() - known.at < KEPT_MS) return known.engine;
  const engine = connectEngine(explicit);
  engines.set(key, { engine, at: performance.now() });
  engine.then(
    ({ docker }) => (known === undefined ? reap(docker).catch(() => {}) : undefined),
    () => engines.delete(key),
  );
  return engine;
}

/** Its word is not taken any more: it stopped answering. */
export function forgetEngine(explicit: string | undefined): void {
  engines.delete(explicit ?? process.env.DOCKER_HOST ?? '');
}
