import type { EditFileResult } from '../../../tools/index.js';
import { CallFailed } from '../../provider/call-failed.js';
import { malformed } from '../../provider/refusals.js';
import type { HostCall } from '../../provider/turn-call.js';
import { ExpectedError } from '../expected-error.js';
import { edited } from './edited.js';
import { fileError } from './not-there.js';

/** Characters of `old_str` that a message repeats. */
const MAX_REPEATED = 1_000;

/** Replaces a text that occurs once; a missing `new_str` deletes it. */
export async function replaceOnce(
  call: HostCall,
  path: string,
  { old, fresh = '' }: { old: unknown; fresh: unknown },
): Promise<string> {
  if (typeof old !== 'string' || typeof fresh !== 'string')
    throw new CallFailed(
      malformed('str_replace_based_edit_tool', "'old_str' and 'new_str' must be texts for the command str_replace"),
    );
  const outcome = await call('edit_file', { path, old_string: old, new_string: fresh });
  if (outcome.status === 'ok') {
    const { snippet, line } = outcome.output as EditFileResult;
    return edited(path, { text: snippet, startLine: Math.max(1, line - 3) });
  }
  const { code, message } = outcome.error;
  const shown = old.length > MAX_REPEATED ? `${old.slice(0, MAX_REPEATED)}…` : old;
  if (code === 'edit_not_found')
    throw new ExpectedError(
      `No replacement was performed, old_str \`${shown}\` did not appear verbatim in ${path}.${hintOf(message)}`,
    );
  if (code === 'edit_not_unique')
    throw new ExpectedError(
      `No replacement was performed. Multiple occurrences of old_str \`${shown}\` in lines ${linesOf(message)}. Please ensure it is unique`,
    );
  throw fileError(outcome.error, path);
}

/** `edit_file` says after "was not found." what is most like it. */
function hintOf(message: string): string {
  const hint = /old_string was not found\. ([\s\S]+)$/.exec(message)?.[1];
  return hint === undefined ? '' : ` ${hint.replaceAll('old_string', 'old_str').replaceAll('new_string', 'new_str')}`;
}

function linesOf(message: string): string {
  return `[${/\(lines ([^)]+)\)/.exec(message)?.[1] ?? ''}]`;
}
