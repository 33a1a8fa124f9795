import type { ChildProcess } from 'node:child_process';

/** The named pipes of a command, where it has such. */
export interface CommandPaths {
  /** Absent: it reads nothing. */
  stdin: string | undefined;
  stdout: string;
  stderr: string;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Of the signal, also where that has no name. */
  signalNumber?: number;
  /** It never became the command. */
  error?: Error;
}

/** A command that runs, or is about to. */
export interface StartedCommand {
  /** The group that every descendant carries; absent where calls cannot be marked. */
  readonly mark?: number;
  /** 0 until it has started, and for one that never does. */
  readonly pid: number;
  /** Resolves with why it could not be. */
  readonly started: Promise<Error | undefined>;
  readonly exited: Promise<Exit>;
  /** Where it is a child of the agent's own. */
  readonly child?: ChildProcess;
}

export function startedChild(child: ChildProcess, mark: number | undefined): StartedCommand {
  return {
    ...(mark === undefined ? {} : { mark }),
    get pid() {
      return child.pid ?? 0;
    },
    started: new Promise((resolve) => {
      child.once('spawn', () => resolve(undefined));
      child.once('error', resolve);
    }),
    exited: new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }));
    }),
    child,
  };
}
