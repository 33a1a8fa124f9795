import { Writable } from 'node:stream';

/**
 * Keeps stdout for the protocol: until `release()`, what anything else in the process writes to it, `console.log`
 * included, goes to stderr. One stray line would end the connection.
 */
export function claimStdout(): { output: Writable; release: () => void } {
  const { stdout, stderr } = process;
  const write = stdout.write;
  const output = new Writable({
    // Node keeps what a pipe does not take; its length is what says that nobody reads.
    write: (chunk: Buffer, _encoding, done) => {
      Reflect.apply(write, stdout, [chunk, done]);
    },
  });
  const onError = (error: Error) => output.destroy(error);
  stdout.on('error', onError);
  const diverted: typeof stdout.write = (...args: unknown[]) => Reflect.apply(stderr.write, stderr, args) as boolean;
  stdout.write = diverted;
  return {
    output,
    release: () => {
      // A late failure to write to a client that went away is nobody's concern, but would end the process unheard.
      stdout.on('error', () => {});
      stdout.off('error', onError);
      if (stdout.write === diverted) stdout.write = write;
    },
  };
}
