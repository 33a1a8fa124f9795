import { GUEST_HOME, WORKSPACE } from '../paths/call-path.js';
import { isMark } from '../text/marks.js';
import { ScriptWalker } from './script-walker.js';
import { keepsMeanings } from './syntax/plain-output.js';
import type { ShellReading } from './syntax/shell-command.js';

/** Longer command lines are not read. */
const MAX_LENGTH = 64 * 1024;

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Every simple command that a command line could run, found by reading it as bash would. What is not understood, or
 * is too long or too deep, makes the whole `unreadable`; it never throws, and its time is bounded by its caps.
 */
export function readShellCommand(
  text: string,
  { cwd = WORKSPACE, home = GUEST_HOME }: { cwd?: string; home?: string } = {},
): ShellReading {
  if (text.length > MAX_LENGTH) return unread(`it is longer than ${MAX_LENGTH} characters`);
  if (hasMarks(text)) return unread('it holds control characters');
  const walker = new ScriptWalker({
    cwd,
    ...(changesHome(text) ? {} : { home }),
    globsDots: mayGlobDots(text),
    keepsMeanings: keepsMeanings(text),
  });
  try {
    return walker.read(text);
  } catch {
    // Reading recurses; a stack that runs out is one more text that was not understood.
    return { ...walker.reading, unreadable: 'it is nested too deep', malformed: true };
  }
}

function unread(why: string): ShellReading {
  return { commands: [], unreadable: why, malformed: true, functions: NOTHING };
}

function hasMarks(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (isMark(text.charAt(index))) return true;
  }
  return false;
}

/** Options of shells, and variables, that let a star stand for more. */
const GLOB_OPTION = /dotglob|globstar|globdots|glob_dots|GLOBIGNORE|BASHOPTS/i;
/** An option, or a variable's name, that is made up when the text runs. */
const MADE_UP =
  /\b(?:shopt|setopt)\b[^;&|\n]*[$`]|(?:^|\s)[-+][a-zA-Z]*O\s*["']?[$`]|\b(?:declare|typeset|export|local|readonly|read|mapfile|readarray|printf\s+-v)\s+(?:-\w+\s+)*["']?\w*[$`]/;

/** Whether a star may meet names with a leading dot, or names in directories below. */
function mayGlobDots(text: string): boolean {
  if (!/[*?[]/.test(text)) return false;
  return GLOB_OPTION.test(text.replace(/["'\\\n]/g, '')) || MADE_UP.test(text);
}

/** Whether the text may give `HOME` another value. */
function changesHome(text: string): boolean {
  return text.includes('HOME') && /(?:^|[^\w${])HOME\b/.test(text);
}
