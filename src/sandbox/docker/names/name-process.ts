import { type ChildProcess, spawn } from 'node:child_process';
import { LOADER } from '../../../../sandbox/protocol/container.js';
import type { NameGuardReply, NameGuardRequest } from '../../../../sandbox/protocol/name-guard.js';
import { nameGuardCode } from '../agent/agent-code.js';

/** A process of this machine that looks at names in a directory: the host itself goes through no tree that a guest can write. */
export function startNameProcess(): ChildProcess {
  const child = spawn(process.execPath, ['-e', LOADER, 'names'], {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
  });
  child.stdin?.on('error', () => {});
  child.stdin?.end(nameGuardCode());
  return child;
}

export function send(child: ChildProcess, request: NameGuardRequest): void {
  // One that is gone says so by its exit.
  child.send(request, () => {});
}

/** The first thing it says, if it is of this type. @throws what `fail` makes, also when the process ends without a word */
export function firstReply<Type extends NameGuardReply['type']>(
  child: ChildProcess,
  type: Type,
  fail: () => Error,
): Promise<Extract<NameGuardReply, { type: Type }>> {
  return new Promise((resolve, reject) => {
    const failed = () => reject(fail());
    child.once('message', (reply: NameGuardReply) => {
      if (reply.type === type) resolve(reply as Extract<NameGuardReply, { type: Type }>);
      else failed();
    });
    child.once('exit', failed);
    child.once('error', failed);
  });
}
