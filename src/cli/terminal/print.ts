let stdoutClosed = false;

/** Writes to stdout; a reader that went away (`| head`) is not an error. */
export function print(text: string): void {
  process.stdout.write(text.endsWith('\n') || text === '' ? text : `${text}\n`);
}

/** Writes to stderr: everything that is about the call and not its output. */
export function printNote(text: string): void {
  process.stderr.write(text.endsWith('\n') || text === '' ? text : `${text}\n`);
}

/** Makes a closed pipe end the output quietly. */
export function tolerateClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      if (stream === process.stdout) stdoutClosed = true;
    });
  }
}

/** Whether whoever read stdout went away: what goes on for long may stop. It is known some time after a `print`. */
export function isStdoutClosed(): boolean {
  return stdoutClosed;
}
