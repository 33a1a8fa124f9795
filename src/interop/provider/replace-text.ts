import { splitLines } from '../../tools/files/text-lines.js';
import { CallFailed } from './call-failed.js';
import type { DecidedOutcome, HostCall } from './turn-call.js';

/**
 * Turns the text of a file from `before` into `after` in one `edit_file` call, which fails when the file is no longer
 * as it was read. The edit is the changed lines and as few around them as make it unique: a person who is asked sees a
 * change, not a file. Byte-order mark and mode stay.
 * @throws CallFailed with the host's error
 */
export async function replaceText(
  call: HostCall,
  path: string,
  { before, after }: { before: string; after: string },
): Promise<void> {
  if (before === after) return;
  if (before === '') {
    succeed(await call('write_file', { path, content: after }));
    return;
  }
  const { oldString, newString } = smallestEdit(before, after);
  succeed(await call('edit_file', { path, old_string: oldString, new_string: newString }));
}

function succeed(outcome: DecidedOutcome): void {
  if (outcome.status === 'error') throw new CallFailed(outcome.error);
}

function smallestEdit(before: string, after: string): { oldString: string; newString: string } {
  const old = splitLines(before);
  const fresh = splitLines(after);
  const shorter = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < shorter && old[start] === fresh[start]) start += 1;
  let tail = 0;
  while (tail < shorter - start && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail += 1;
  for (let step = 1; ; step *= 2) {
    const oldString = old.slice(start, old.length - tail).join('');
    const isWhole = start === 0 && tail === 0;
    if (isWhole || (oldString !== '' && before.indexOf(oldString) === before.lastIndexOf(oldString)))
      return { oldString, newString: fresh.slice(start, fresh.length - tail).join('') };
    start = Math.max(0, start - step);
    tail = Math.max(0, tail - step);
  }
}
