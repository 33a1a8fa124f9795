import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** How long an interrupted command may take to put its sandboxes away, milliseconds. */
const GRACE_MS = 5_000;

/**
 * Runs `body` with a signal that aborts at Ctrl-C, SIGTERM or SIGHUP. `body` is given the time to dispose what it
 * opened; the process then ends with 128 + the signal's number. A second signal does not wait.
 * `intercept` may take a Ctrl-C for itself by returning true.
 * @returns the exit code
 */
export async function withInterrupt(
  body: (signal: AbortSignal) => Promise<number>,
  options: { intercept?: () => boolean } = {},
): Promise<number> {
  const controller = new AbortController();
  let interruptedBy: number | undefined;
  const onSignal = (name: NodeJS.Signals) => {
    if (name === 'SIGINT' && options.intercept?.()) return;
    const code = 128 + constants.signals[name];
    if (interruptedBy !== undefined) process.exit(code);
    interruptedBy = code;
    controller.abort(new DOMException(`Interrupted by ${name}`, 'AbortError'));
    setTimeout(() => process.exit(code), GRACE_MS).unref();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  // A sandbox that is idle or ending keeps nothing alive; the command goes on until its body is done.
  const alive = setInterval(() => {}, 2 ** 30);
  try {
    const code = await body(controller.signal);
    return interruptedBy ?? code;
  } catch (error) {
    if (interruptedBy !== undefined) return interruptedBy;
    throw error;
  } finally {
    clearInterval(alive);
    // Once interrupted, a signal that comes while the process ends must not change its exit code.
    if (interruptedBy === undefined) for (const name of SIGNALS) process.off(name, onSignal);
  }
}
