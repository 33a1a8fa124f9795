/** Private: says that the signal ended the wait, never seen outside the host. */
export class Aborted extends Error {}

/**
 * Waits for work until the signal aborts, and then no longer: the late result is dropped, a late rejection is
 * swallowed. Without a signal it is the work itself.
 * @throws Aborted when the signal came first
 */
export function untilAborted<T>(
  signal: AbortSignal | undefined,
  work: Promise<T>,
  onLate?: (value: T) => void,
): Promise<T> {
  if (signal === undefined) return work;
  return new Promise<T>((resolve, reject) => {
    let over = false;
    const abort = () => {
      over = true;
      reject(new Aborted());
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    work.then(
      (value) => {
        signal.removeEventListener('abort', abort);
        if (over) onLate?.(value);
        else resolve(value);
      },
      (error) => {
        signal.removeEventListener('abort', abort);
        reject(error);
      },
    );
  });
}
