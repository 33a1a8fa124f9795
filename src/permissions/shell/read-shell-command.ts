import { isMark } from '../marks.js';
import { GUEST_HOME, WORKSPACE } from '../paths/call-path.js';
import { ScriptWalker } from './script-walker.js';
import type { ShellReading } from './shell-command.js';

/** Longer command lines are not read. */
const MAX_LENGTH = 64 * 1024;

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Every simple command that a command line could run, found by reading it as bash would. What is not understood, or
 * is too long or too deep, makes the whole `unreadable`; it never throws, and its time is bounded by its caps.
 */
export function readShellCommand(text: string, cwd: string = WORKSPACE): ShellReading {
  if (text.length > MAX_LENGTH) return unread(`it is longer than ${MAX_LENGTH} characters`);
  if (hasMarks(text)) return unread('it holds control characters');
  const walker = new ScriptWalker({ cwd, ...(changesHome(text) ? {} : { home: GUEST_HOME }) });
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
    if (text.charCodeAt(index) < 4 && isMark(text.charAt(index))) return true;
  }
  return false;
}

/** Whether the text may give `HOME` another value. */
function changesHome(text: string): boolean {
  return text.includes('HOME') && /(?:^|[^\w${])HOME\b/.test(text);
}
