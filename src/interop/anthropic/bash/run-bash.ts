import type { ShellResult } from '../../../tools/index.js';
import { CallFailed } from '../../provider/call-failed.js';
import { member } from '../../provider/record.js';
import { malformed } from '../../provider/refusals.js';
import type { HostCall } from '../../provider/turn-call.js';
import { ExpectedError } from '../expected-error.js';
import type { ToolUseContext } from '../tool-use-calls.js';
import { followDirectory } from './follow-directory.js';
import { directoryOf, forgetDirectory, keepDirectory } from './working-directories.js';

/**
 * Anthropic's `bash`: a command as a call of the host's `shell`. Models take it for one long-lived shell: of that the
 * working directory is kept between calls, and what is not kept is said.
 */
export async function runBash(input: unknown, call: HostCall, context: ToolUseContext): Promise<string> {
  if (member(input, 'restart') === true) {
    forgetDirectory(context);
    if (typeof member(input, 'command') !== 'string') return 'tool has been restarted.';
  }
  const command = member(input, 'command');
  if (typeof command !== 'string' || command === '')
    throw new CallFailed(malformed('bash', "'command' must be a text, unless 'restart' is true"));
  const cwd = directoryOf(context);
  const followed = followDirectory(command, context.host.permissions);
  const outcome = await call('shell', { command, ...(cwd !== undefined && { cwd }) }, followed.view);
  if (outcome.status === 'error') {
    if (outcome.error.code === 'invalid_cwd') forgetDirectory(context);
    throw new CallFailed(outcome.error);
  }
  const { directory, isLost } = followed;
  if (directory !== undefined) keepDirectory(context, directory);
  const result = outcome.output as ShellResult;
  const text = textOf(result, [...(isLost ? [lostNote(cwd)] : []), ...notesOn(command)]);
  if (result.timedOut === true) throw new ExpectedError(text);
  return text;
}

function textOf({ stdout, stderr, exitCode, note, cause }: ShellResult, notes: readonly string[]): string {
  const isFailure = exitCode !== 0;
  const end = cause === undefined && exitCode !== null ? [`exit code: ${exitCode}`] : [];
  const parts = [stdout, stderr, ...(isFailure ? end : []), ...(note === undefined ? [] : [note]), ...notes];
  return parts
    .map((part) => part.replace(/\n+$/, ''))
    .filter((part) => part !== '')
    .join('\n');
}

function lostNote(cwd: string | undefined): string {
  return `Note: the next command runs in ${cwd ?? 'the workspace'}; cd holds within one command`;
}

function notesOn(command: string): string[] {
  if (!/(?:^|[\n;&|({])\s*(?:export|source|\.|alias|declare|set)\s/.test(command)) return [];
  return ['Note: every command starts in a clean shell; variables, functions and options hold within one command'];
}
