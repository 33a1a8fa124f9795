import type { Readable, Writable } from 'node:stream';
import { type AgentInit, type AgentMessage, type HostMessage, PROTOCOL_VERSION } from '../protocol/container.js';
import { Commands } from './commands/commands.js';
import { findShell, findTools } from './commands/find-programs.js';
import { createLauncher } from './commands/launcher.js';
import { PipePool } from './commands/pipe-pool.js';
import { FileWorkers } from './files/file-workers.js';
import { prepareHome } from './home/prepare-home.js';
import { isHostMessage } from './host-messages.js';
import { startLife } from './life.js';
import { Wire } from './wire.js';

/** The container's main process: says what it found, then answers calls until its stream ends. */
export function startAgent(input: Readable, output: Writable): void {
  let answer: ((message: HostMessage, body: Uint8Array) => void) | undefined;
  const wire = new Wire(input, output, {
    frame: (header, body) => {
      if (!isHostMessage(header)) return end(1);
      if (answer !== undefined) answer(header, body);
      else if (header.type === 'init') answer = openSession(header, { wire, source: body, end });
      else end(1);
    },
    // The host is gone, whatever became of it: the container must not outlive it.
    closed: (broken) => end(broken ? 1 : 0),
  });
}

interface Surroundings {
  wire: Wire;
  /** Of the file helpers. */
  source: Uint8Array;
  end(code: number): void;
}

function openSession(
  init: AgentInit,
  { wire, source, end }: Surroundings,
): (message: HostMessage, body: Uint8Array) => void {
  const send = (message: AgentMessage, body?: Uint8Array) => wire.send(message, body);
  const refuse = (reason: string) => {
    send({ type: 'failed', message: reason });
    setTimeout(() => end(1), 1_000);
    return () => {};
  };
  if (init.version !== PROTOCOL_VERSION)
    return refuse(`The agent speaks version ${PROTOCOL_VERSION} of the protocol, not ${init.version}`);
  const shell = findShell();
  if (shell === undefined) return refuse('The image has neither bash nor sh');
  const pipes = new PipePool(`${init.runDirectory}/pipes`);
  const launcher = createLauncher(init, { shell, pipes });
  const life = startLife(init, (reason) => {
    send({ type: 'going', reason });
    setTimeout(() => end(0), 100);
  });
  const commands = new Commands({ init, launcher, pipes, send });
  const files = new FileWorkers({ init, launcher, source, send });
  send({
    type: 'ready',
    version: PROTOCOL_VERSION,
    pid: process.pid,
    node: process.version,
    shell: shell.kind,
    marked: launcher.marked,
    tools: findTools(),
  });
  // While the host hears of it: no call is read before this is done.
  prepareHome(init);
  return (message, body) => {
    life.touch(message);
    switch (message.type) {
      case 'exec':
        return commands.exec(message, body);
      case 'spawn':
        return commands.spawn(message);
      case 'stdin':
        return commands.stdin(message.id, body, message.end);
      case 'credit':
        return commands.credit(message.id, message.bytes);
      case 'signal':
        return commands.signal(message.id, message.signal);
      case 'cancel':
        commands.cancel(message.id);
        return files.cancel(message.id);
      case 'file':
      case 'tree':
        return files.call(message, body);
      case 'enforce':
        return files.enforce(message.plan);
      case 'ping':
        return send({ type: 'pong', id: message.id });
      case 'init':
        return end(1);
    }
  };
}

/** Everything else in the container dies with its main process. */
function end(code: number): void {
  process.exit(code);
}
