import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A directory with an `ssh` that leads every host to a socket of this machine, and writes its arguments to a file. */
export async function fakeSsh(socket: string): Promise<AsyncDisposable & { directory: string; log: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'caisson-ssh-'));
  const log = join(directory, 'arguments');
  const script = `#!${process.execPath}
const { appendFileSync } = require('node:fs');
appendFileSync(${JSON.stringify(log)}, process.argv.slice(2).join(' ') + '\\n');
if (process.argv.includes('closed')) { process.stderr.write('me@closed: Permission denied (publickey).\\n'); process.exit(255); }
const socket = require('node:net').connect({ path: ${JSON.stringify(socket)}, allowHalfOpen: true });
process.stdin.pipe(socket);
socket.pipe(process.stdout);
socket.on('close', () => process.exit(0)).on('error', () => process.exit(1));
`;
  await writeFile(join(directory, 'ssh'), script);
  await chmod(join(directory, 'ssh'), 0o755);
  return { directory, log, [Symbol.asyncDispose]: () => rm(directory, { recursive: true }) };
}
