import type { CustomCommand } from 'just-bash/browser';
import { DIGESTS } from './digests.js';
import { OD } from './od.js';
import { SMALL_PROGRAMS } from './small-programs.js';
import { RESPELLED_COMMANDS } from './spelling.js';

/** Commands of ours, beside or in place of the interpreter's. */
export const COMMAND_OVERRIDES: readonly CustomCommand[] = [OD, ...SMALL_PROGRAMS, ...DIGESTS, ...RESPELLED_COMMANDS];

/**
 * What the interpreter lists and cannot do here: `history` has none, `clear` no screen, `split` fails on every file, and
 * `html-to-markdown` needs an HTML parser that would be a third of the snapshot.
 */
export const REMOVED_COMMANDS: ReadonlySet<string> = new Set(['clear', 'history', 'split', 'html-to-markdown']);
