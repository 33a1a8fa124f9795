import { lineEnding, splitLines } from '../../../tools/files/text-lines.js';
import { CallFailed } from '../../provider/call-failed.js';
import { malformed } from '../../provider/refusals.js';
import { replaceText } from '../../provider/replace-text.js';
import { readWhole } from '../../provider/text-file.js';
import type { HostCall } from '../../provider/turn-call.js';
import { ExpectedError } from '../expected-error.js';
import { edited } from './edited.js';
import { withFileErrors } from './not-there.js';

const SNIPPET_CONTEXT_LINES = 4;

/** Puts lines after line `line`; 0 is the beginning of the file. */
export async function insertText(
  call: HostCall,
  path: string,
  { line, text }: { line: unknown; text: unknown },
): Promise<string> {
  if (typeof text !== 'string' || typeof line !== 'number' || !Number.isInteger(line))
    throw new CallFailed(
      malformed(
        'str_replace_based_edit_tool',
        "'insert_line' must be an integer and 'insert_text' a text for the command insert",
      ),
    );
  return withFileErrors(path, async () => {
    const before = await readWhole(call, path);
    const lines = splitLines(before);
    if (line < 0 || line > lines.length)
      throw new ExpectedError(
        `Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, ${lines.length}]`,
      );
    const inserted = insertedLines(text, { before, isLast: line === lines.length });
    const after = [...withOpenEndClosed(lines.slice(0, line), before), ...inserted, ...lines.slice(line)];
    await replaceText(call, path, { before, after: after.join('') });
    const from = Math.max(0, line - SNIPPET_CONTEXT_LINES);
    const snippet = after.slice(from, line + inserted.length + SNIPPET_CONTEXT_LINES).join('');
    return edited(path, { text: snippet, startLine: from + 1 });
  });
}

/** Whole lines, with the file's line ends; after a last line without one, the new last line has none either. */
function insertedLines(text: string, { before, isLast }: { before: string; isLast: boolean }): string[] {
  if (text === '') return [];
  const end = endOf(before);
  const unix = text.replaceAll('\r\n', '\n');
  const leaveOpen = isLast && before !== '' && !before.endsWith('\n') && !unix.endsWith('\n');
  const whole = unix.endsWith('\n') || leaveOpen ? unix : `${unix}\n`;
  return splitLines(end === '\n' ? whole : whole.replaceAll('\n', end));
}

function withOpenEndClosed(lines: string[], before: string): string[] {
  const last = lines.at(-1);
  if (last === undefined || last.endsWith('\n')) return lines;
  return [...lines.slice(0, -1), last + endOf(before)];
}

function endOf(text: string): string {
  return lineEnding(text) === 'crlf' ? '\r\n' : '\n';
}
