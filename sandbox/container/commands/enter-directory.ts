import { randomBytes } from 'node:crypto';
import type { AgentInit } from '../../protocol/container.js';
import type { CommandSpec } from './command.js';
import { findProgram } from './find-programs.js';

/** How a start says that its directory cannot be entered. New in each agent, so that no command can pretend it. */
const MARK = `caisson-bad-cwd-${randomBytes(12).toString('hex')}`;

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
export function refusedDirectory(exitCode: number | null, stderrEnd: string): 'missing' | 'outside' | undefined {
  if (exitCode !== 125) return undefined;
  if (stderrEnd.endsWith(`${MARK} missing`)) return 'missing';
  return stderrEnd.endsWith(`${MARK} outside`) ? 'outside' : undefined;
}

const ENTER = [
  'cd -P -- "$1" 2>/dev/null || { printf "$0 missing" >&2; exit 125; }',
  'case $PWD/ in "$2"/*) ;; *) printf "$0 outside" >&2; exit 125;; esac',
  'shift 2; unset OLDPWD',
  'exec "$@"',
].join('\n');
