import { CallFailed } from '../../provider/call-failed.js';
import { member, textMember } from '../../provider/record.js';
import { malformed } from '../../provider/refusals.js';
import type { HostCall } from '../../provider/turn-call.js';
import { ExpectedError } from '../expected-error.js';
import { insertText } from './insert-text.js';
import { replaceOnce } from './replace-once.js';
import { view } from './view.js';

/** Anthropic's text editor: `view`, `create`, `str_replace` and `insert`, as calls of the host's file tools. */
export async function runTextEditor(input: unknown, call: HostCall): Promise<string> {
  const command = member(input, 'command');
  const path = textMember(input, 'path');
  if (path === undefined) throw wrong("'path' must be the path of a file or directory");
  switch (command) {
    case 'view':
      return view(call, path, member(input, 'view_range'));
    case 'create':
      return create(call, path, member(input, 'file_text'));
    case 'str_replace':
      return replaceOnce(call, path, { old: member(input, 'old_str'), fresh: member(input, 'new_str') });
    case 'insert':
      // The text was called new_str in older versions of the tool.
      return insertText(call, path, {
        line: member(input, 'insert_line'),
        text: member(input, 'insert_text') ?? member(input, 'new_str'),
      });
    case 'undo_edit':
      throw new ExpectedError('The command undo_edit is not available: edit the file again instead');
    default:
      throw wrong("'command' must be view, create, str_replace or insert");
  }
}

async function create(call: HostCall, path: string, content: unknown): Promise<string> {
  if (typeof content !== 'string') throw wrong("'file_text' must be a text for the command create");
  const outcome = await call('write_file', { path, content });
  if (outcome.status === 'error') throw new CallFailed(outcome.error);
  return `File created successfully at: ${path}`;
}

function wrong(message: string): CallFailed {
  return new CallFailed(malformed('str_replace_based_edit_tool', message));
}
