import { resolvePath } from '../paths/resolve-path.js';
import { HOLE } from '../text/marks.js';
import { programName } from './programs/program-name.js';
import type { RawCommand } from './syntax/shell-command.js';

const ANYWHERE: readonly string[] = [HOLE];

/** Where the shell may be after a command, if it succeeded and if it failed. */
export function nextDirectories(
  { words, assignments }: RawCommand,
  directories: readonly string[],
  home: string | undefined,
): { success: readonly string[]; failure: readonly string[] } {
  const stays = { success: directories, failure: directories };
  const [first = '', ...rest] = plain(words.map(({ text }) => text));
  switch (first) {
    case 'cd':
    case 'pushd': {
      const target = rest.find((word) => !/^-[LPe@n]+$/.test(word) && word !== '--');
      if (assignments.some((word) => word.startsWith('CDPATH'))) return { success: ANYWHERE, failure: ANYWHERE };
      if (target === undefined) return { success: [home ?? HOLE], failure: directories };
      if (/^[-+]\d*$/.test(target)) return { success: ANYWHERE, failure: directories };
      return { success: directories.map((from) => resolvePath(from, target)), failure: directories };
    }
    case 'popd':
      return { success: ANYWHERE, failure: directories };
    case 'export':
    case 'declare':
      return rest.some((word) => word.startsWith('CDPATH')) ? { success: ANYWHERE, failure: ANYWHERE } : stays;
    case '':
      // With `CDPATH` set, a later `cd` goes elsewhere.
      return assignments.some((word) => word.startsWith('CDPATH')) ? { success: ANYWHERE, failure: ANYWHERE } : stays;
    default:
      return stays;
  }
}

/** `builtin cd x` and `command cd x` are `cd x`. */
function plain(words: readonly string[]): readonly string[] {
  let start = 0;
  while (/^(?:builtin|command)$/.test(programName(words[start] ?? ''))) {
    start += 1;
    if (words[start] === '-p') start += 1;
  }
  return start === 0 ? words : words.slice(start);
}
