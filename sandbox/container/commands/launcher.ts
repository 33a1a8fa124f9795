import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import type { AgentInit } from '../../protocol/container.js';
import { findProgram, type Shell } from './find-programs.js';
import { MarkPool } from './mark-pool.js';
import type { PipePool } from './pipe-pool.js';
import { Spawner } from './spawner.js';
import { spawnerArguments } from './spawner-script.js';
import { type CommandPaths, type StartedCommand, startedChild } from './started-command.js';

export interface LaunchRequest {
  argv: readonly string[];
  /** A directory that is known to be there. */
  cwd: string;
  env: Record<string, string>;
  stdio: StdioOptions;
}

export interface CommandRequest extends LaunchRequest {
  /** The same as `stdio`, by name; absent where it has no names. */
  paths: CommandPaths | undefined;
}

export interface Launcher {
  readonly shell: Shell;
  readonly marked: boolean;
  readonly marks: MarkPool;
  /** Commands may be started at any time; those that wait for this are started in the quicker way. */
  readonly settled: Promise<void>;
  /** A child of the agent's own, for what talks with it. */
  launch(request: LaunchRequest): ChildProcess;
  /** @throws system errors of starting a process */
  start(request: CommandRequest): StartedCommand;
}

/** The spawner is there in a few milliseconds, or something is wrong with it. */
const SPAWNER_PATIENCE_MS = 100;

/**
 * Starts programs as the commands' user, each in a session of its own and with a supplementary group of its own: without
 * capabilities a process cannot drop a group, so whoever double-forks away is still found by it. Node drops all groups
 * when it changes the user, so `setpriv` does it. Without it calls are told apart by session, group and parents alone.
 */
export function createLauncher(init: AgentInit, { shell, pipes }: { shell: Shell; pipes: PipePool }): Launcher {
  const marks = new MarkPool();
  const wrap = maySetGroups() ? findWrapper(init) : undefined;
  const spawner = wrap === undefined ? undefined : prepareSpawner(init, pipes);
  if (spawner === undefined) pipes.makeAhead();
  const launch = (request: LaunchRequest, mark: number | undefined): ChildProcess => {
    const argv = wrap === undefined || mark === undefined ? request.argv : [...wrap(mark), ...afterDrop(request)];
    const [program = '', ...args] = argv;
    return raisingOomScore(() =>
      spawn(program, args, {
        cwd: request.cwd,
        env: wrap === undefined ? request.env : withoutLoaderVariables(request.env),
        stdio: request.stdio,
        detached: true,
        ...(wrap === undefined && process.getuid?.() !== init.uid ? { uid: init.uid, gid: init.gid } : {}),
      }),
    );
  };
  const takeMark = () => (wrap === undefined ? undefined : marks.take());
  return {
    shell,
    marks,
    marked: wrap !== undefined,
    settled: spawner === undefined ? Promise.resolve() : Promise.race([spawner.settled.then(() => {}), patience()]),
    launch: (request) => launch(request, takeMark()),
    start: (request) => {
      const mark = takeMark();
      const { paths } = request;
      const started =
        mark === undefined || paths === undefined ? undefined : spawner?.start({ ...request, paths, mark });
      return started ?? startedChild(launch(request, mark), mark);
    },
  };
}

function patience(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SPAWNER_PATIENCE_MS).unref());
}

/** It makes the first pipes besides: one process to start, where two would make the first command wait. */
function prepareSpawner(init: AgentInit, pipes: PipePool): Spawner | undefined {
  const perl = findProgram('perl');
  const paths = pipes.reserve();
  const argv = spawnerArguments(paths);
  if (perl === undefined || argv === undefined || paths.length === 0) return undefined;
  const spawner = new Spawner(perl, argv, init);
  void spawner.settled.then((there) => there && pipes.add(paths));
  return spawner;
}

/** Root in a container that was given no capabilities may not. */
function maySetGroups(): boolean {
  try {
    const effective = /^CapEff:\t([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1];
    return effective !== undefined && (BigInt(`0x${effective}`) & CAP_SETGID) !== 0n;
  } catch {
    return false;
  }
}

const CAP_SETGID = 1n << 6n;

function findWrapper({ uid, gid }: AgentInit): ((mark: number) => string[]) | undefined {
  const setpriv = findProgram('setpriv');
  if (setpriv === undefined || isBusybox(setpriv)) return undefined;
  return (mark) => [setpriv, `--reuid=${uid}`, `--regid=${gid}`, `--groups=${mark}`, '--'];
}

/** Busybox's own takes none of these options. */
function isBusybox(path: string): boolean {
  try {
    return readlinkSync(path).includes('busybox');
  } catch {
    return false;
  }
}

/** What the loader and libc obey must not reach the wrapper, which still is root: it is set after the drop. */
const LOADER_VARIABLE =
  /^(LD_.*|GLIBC_TUNABLES|GCONV_PATH|GETCONF_DIR|HOSTALIASES|LOCALDOMAIN|LOCPATH|MALLOC_.*|NIS_PATH|NLSPATH|RESOLV_HOST_CONF|RES_OPTIONS|TMPDIR|TZDIR)$/;

function withoutLoaderVariables(env: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !LOADER_VARIABLE.test(name)));
}

function afterDrop({ argv, env }: LaunchRequest): readonly string[] {
  const held = Object.entries(env).filter(([name]) => LOADER_VARIABLE.test(name));
  if (held.length === 0) return argv;
  return [findProgram('env') ?? '/usr/bin/env', ...held.map(([name, value]) => `${name}=${value}`), ...argv];
}

/**
 * When memory runs out the kernel should take a command, not the agent. A process may raise its score and lower it to
 * where it was without any capability; children inherit what it is at the fork.
 */
function raisingOomScore<T>(work: () => T): T {
  setOomScore('500');
  try {
    return work();
  } finally {
    setOomScore('0');
  }
}

function setOomScore(score: string): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', score);
  } catch {
    // A kernel that does not allow it chooses by size alone; the agent is small.
  }
}
