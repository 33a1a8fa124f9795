import type { FileLayer } from '../../files/file-layer.js';
import { shown } from '../../files/perform-operation.js';
import type { HostMessage } from '../../protocol/isolate.js';
import type { CommandRule } from '../../protocol/plan.js';
import { realRootOf, resolveGuestPath } from '../shell/guest/resolve-path.js';
import { OutputStream } from '../shell/host/output-stream.js';
import type { ShellEnd, ShellIsolate } from '../shell/host/shell-isolate.js';
import { sendFrame } from '../wire/send-frame.js';
import { BASE_ENVIRONMENT } from './environment.js';
import { execCause } from './exec-cause.js';

export type ExecMessage = Extract<HostMessage, { type: 'exec' }>;

export interface ExecContext {
  shell: ShellIsolate;
  files: FileLayer;
  /** Commands that rules do not let start. */
  denied: readonly CommandRule[];
  /** Why the running call was told to stop. */
  stoppedBecause(): 'timeout' | 'aborted';
  finished(): void;
}

/** Runs one command and answers the host. `finished` is called once, perhaps before this returns. */
export function runExec(message: ExecMessage, stdin: Uint8Array, context: ExecContext): void {
  const cwd = resolveGuestPath('/workspace', message.cwd);
  const problem = cwdProblem(cwd, context.files);
  if (problem !== undefined) {
    sendFrame({ type: 'error', id: message.id, code: 'invalid_cwd', message: problem, path: shown(cwd) });
    context.finished();
    return;
  }
  const output = new OutputStream(message.id, { maxBytes: message.maxOutputBytes, quiet: message.quiet === true });
  const command = {
    ...(message.argv === undefined ? { command: message.command ?? '' } : { argv: message.argv }),
    cwd,
    ...(context.denied.length === 0 ? {} : { denied: context.denied }),
    env: { ...BASE_ENVIRONMENT, PWD: cwd, ...message.env },
    stdin: Buffer.from(stdin.buffer, stdin.byteOffset, stdin.byteLength).toString('latin1'),
  };
  const ended = (end: ShellEnd) => {
    answer(message.id, end, output, context);
    context.finished();
  };
  context.shell.start(command, { output, ended });
}

function answer(id: number, end: ShellEnd, output: OutputStream, context: ExecContext): void {
  const { stdout, stderr, ...dropped } = output.finish();
  const cause = end.interrupted ? context.stoppedBecause() : execCause({ ...end, stderr });
  sendFrame(
    {
      type: 'exec-result',
      id,
      exitCode: end.interrupted ? null : end.exitCode,
      ...(cause === undefined ? {} : { cause }),
      stdoutBytes: stdout.length,
      ...dropped,
    },
    Buffer.concat([stdout, stderr]),
  );
}

function cwdProblem(cwd: string, files: FileLayer): string | undefined {
  if (realRootOf(cwd) === undefined) return `Cannot run in '${shown(cwd)}': it is outside the workspace`;
  try {
    return files.stat(cwd).type === 'directory' ? undefined : `Cannot run in '${shown(cwd)}': it is not a directory`;
  } catch {
    return `Cannot run in '${shown(cwd)}': no such directory`;
  }
}
