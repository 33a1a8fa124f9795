import { HOLE, SPREAD } from '../wildcard.js';
import { readCommands } from './read-commands.js';
import type { ShellCommand, ShellReading } from './shell-command.js';
import { unwrap } from './unwrap.js';

/** Longer command lines are not read. */
const MAX_LENGTH = 64 * 1024;
/** Scripts inside scripts (`bash -c`, `eval`, backticks) are followed this deep. */
const MAX_DEPTH = 8;
const MAX_COMMANDS = 20_000;
/** Of all scripts together: a text may be looked at more than once. */
const MAX_TOTAL_LENGTH = 1024 * 1024;

interface Progress {
  commands: ShellCommand[];
  unreadable: boolean;
  totalLength: number;
}

/**
 * Every simple command that a command line could run, found by reading it as bash would. What is not understood, or
 * is too long or too deep, makes the whole `unreadable`; it never throws, and its time is bounded by its caps.
 */
export function readShellCommand(text: string): ShellReading {
  const progress: Progress = { commands: [], unreadable: false, totalLength: 0 };
  try {
    readScript(progress, text, { depth: 0, via: [] });
  } catch {
    // Reading recurses; a stack that runs out is one more text that was not understood.
    progress.unreadable = true;
  }
  return { commands: progress.commands, unreadable: progress.unreadable };
}

function readScript(progress: Progress, text: string, place: { depth: number; via: readonly string[] }): void {
  progress.totalLength += text.length;
  if (!isWithinCaps(progress, text, place.depth)) {
    progress.unreadable = true;
    return;
  }
  const nested = (script: string, via: readonly string[]) =>
    readScript(progress, script, { depth: place.depth + 1, via });
  const reading = readCommands(text, (script) => nested(script, place.via));
  if (reading.unreadable) progress.unreadable = true;
  for (const raw of reading.commands) {
    const { commands, scripts } = unwrap(raw, place.via);
    progress.commands.push(...commands);
    for (const script of scripts) {
      if (script.text === undefined) progress.unreadable = true;
      else nested(script.text, script.via);
    }
  }
}

function isWithinCaps(progress: Progress, text: string, depth: number): boolean {
  if (text.includes(HOLE) || text.includes(SPREAD)) return false;
  return (
    depth <= MAX_DEPTH &&
    text.length <= MAX_LENGTH &&
    progress.totalLength <= MAX_TOTAL_LENGTH &&
    progress.commands.length <= MAX_COMMANDS
  );
}
