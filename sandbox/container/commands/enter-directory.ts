import { closeSync, openSync, readSync } from 'node:fs';
import type { AgentInit } from '../../protocol/container.js';
import { enterScript, REFUSED_DIRECTORY, type RefusedDirectory } from '../../protocol/enter-script.js';
import type { CommandSpec } from './command.js';
import { findProgram } from './find-programs.js';

/**
 * How a start says that its directory cannot be entered. New in each agent, so that no command can pretend it; with a
 * first byte that nobody else begins with, so that no command's own words wait to be told apart from it.
 */
const MARK = `\u0001caisson-bad-cwd-${randomHex(12)}`;
const MARK_BYTES = Buffer.from(MARK);

/**
 * Where and how a command starts. The workspace itself is entered by the agent; any other directory by the commands'
 * user, who may be allowed where the agent is not and the other way round, and only if it really is in the workspace:
 * a link out of it is refused after it was followed.
 */
export function enterDirectory(
  { argv, cwd }: Pick<CommandSpec, 'argv' | 'cwd'>,
  { workspace }: Pick<AgentInit, 'workspace'>,
  canEnter: (path: string) => boolean,
): { argv: string[]; cwd: string } {
  if (cwd === workspace && canEnter(workspace)) return { argv, cwd };
  const sh = findProgram('sh') ?? '/bin/sh';
  return { argv: [sh, '-c', ENTER, MARK, cwd, workspace, ...argv], cwd: '/' };
}

/** @returns why the directory was refused, if that is what ended the start */
export function refusedDirectory(exitCode: number | null, stderrEnd: string): RefusedDirectory | undefined {
  if (exitCode !== 125) return undefined;
  return REFUSED_DIRECTORY.find((word) => stderrEnd.endsWith(`${MARK} ${word}`));
}

/** Keeps what `ENTER` says to the agent out of what is streamed to the host as the command's own words. */
export class RefusalFilter {
  #held: Buffer | undefined = Buffer.alloc(0);

  /** @returns what of it is the command's own, as far as that is known by now */
  pass(data: Uint8Array): Uint8Array {
    if (this.#held === undefined) return data;
    const begun = this.#held.length === 0 ? Buffer.from(data) : Buffer.concat([this.#held, data]);
    const known = Math.min(begun.length, MARK_BYTES.length);
    if (begun.subarray(0, known).equals(MARK_BYTES.subarray(0, known))) {
      this.#held = begun;
      return NOTHING;
    }
    this.#held = undefined;
    return begun;
  }

  /** The command has ended. @returns what was held although it was no refusal */
  rest(): Uint8Array {
    const held = this.#held ?? NOTHING;
    this.#held = undefined;
    return held.length < MARK_BYTES.length ? held : NOTHING;
  }
}

/** From the kernel: Node's own module for it would take a tenth of the agent's start to load. */
function randomHex(bytes: number): string {
  const source = openSync('/dev/urandom', 'r');
  try {
    const random = Buffer.alloc(bytes);
    readSync(source, random);
    return random.toString('hex');
  } finally {
    closeSync(source);
  }
}

const NOTHING = new Uint8Array(0);

const ENTER = [
  enterScript((word) => `printf "$0 ${word}" >&2`, { cwd: '"$1"', workspace: '"$2"' }),
  'shift 2; unset OLDPWD',
  'exec "$@"',
].join('\n');
