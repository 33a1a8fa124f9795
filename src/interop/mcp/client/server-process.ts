/** The process of a stdio server, wherever it runs. */
export interface ServerProcess {
  readonly output: AsyncIterable<Uint8Array>;
  readonly errors: AsyncIterable<Uint8Array>;
  /** How it ended, in words. Never rejects. */
  readonly ended: Promise<string>;
  /** Resolves when the text was taken. */
  write(text: string): Promise<void>;
  /** Closes its input and, when that does not end it soon, ends it and all it started. */
  end(): Promise<void>;
}

/** How long a server may take to end after its input closed, and again after SIGTERM, milliseconds. */
export const END_GRACE_MS = 1_000;

/** Whether `work` came first. */
export async function within(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, milliseconds, false);
  try {
    return await Promise.race([work.then(() => true), promise]);
  } finally {
    clearTimeout(timer);
  }
}
