import { SandboxError } from '../../sandbox/errors.js';
import { explainNotFound } from './explain-not-found.js';
import { lineAt } from './text-lines.js';

/** Lines named in an `edit_not_unique` message. */
const NAMED_LINES = 10;

export interface Edit {
  oldString: string;
  newString: string;
  replaceAll: boolean;
}

export interface EditedText {
  text: string;
  replacements: number;
  /** Where the first replacement starts in `text`. */
  firstIndex: number;
}

/**
 * Replaces `oldString` in `text`, both taken literally.
 * @throws SandboxError `invalid_input` (empty old string), `edit_noop`, `edit_not_found` with a hint, `edit_not_unique` with the
 * count (overlapping matches included) and the lines
 */
export function applyEdit(text: string, edit: Edit, path: string): EditedText {
  const { oldString, newString, replaceAll } = edit;
  if (oldString === '') {
    throw new SandboxError(
      'invalid_input',
      `Cannot edit "${path}": old_string is empty; use write_file to create or replace a file`,
      { path },
    );
  }
  if (oldString === newString) {
    throw new SandboxError('edit_noop', `Cannot edit "${path}": old_string and new_string are the same`, { path });
  }
  const found = indexesOf(text, oldString);
  const [first] = found;
  if (first === undefined) {
    throw new SandboxError(
      'edit_not_found',
      `Cannot edit "${path}": old_string was not found. ${explainNotFound(text, oldString)}`,
      { path },
    );
  }
  if (replaceAll) {
    const parts = text.split(oldString);
    return { text: parts.join(newString), replacements: parts.length - 1, firstIndex: first };
  }
  if (found.length > 1) throw notUnique(text, found, path);
  return {
    text: text.slice(0, first) + newString + text.slice(first + oldString.length),
    replacements: 1,
    firstIndex: first,
  };
}

/** Every place where `part` starts, overlapping ones too. */
function indexesOf(text: string, part: string): number[] {
  const indexes: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) indexes.push(at);
  return indexes;
}

function notUnique(text: string, found: number[], path: string): SandboxError {
  const lines = found.slice(0, NAMED_LINES).map((index) => lineAt(text, index));
  const more = found.length > NAMED_LINES ? ', …' : '';
  return new SandboxError(
    'edit_not_unique',
    `Cannot edit "${path}": old_string matches ${found.length} times (lines ${lines.join(', ')}${more}); ` +
      'add surrounding text until it is unique, or set replace_all',
    { path },
  );
}
