import { HOLE, isKnown, isMark, NAME, SPREAD } from '../text/marks.js';
import { WORKSPACE } from './call-path.js';
import { type Automaton, globAutomaton, intersect, wordAutomaton } from './path-automaton.js';

/** Stands in no path, and is no mark: what takes any character takes it. */
const NO_TEXT = '\u0005';
const SPECIAL = /[*?[\\]/;

/** An absolute glob, ready to be asked. Restricting rules compare without regard to case. */
export class PathGlob {
  readonly folds: boolean;
  readonly #automaton: Automaton;
  /** What every path begins and ends with. */
  readonly #prefix: string;
  readonly #suffix: string;
  readonly #literal: boolean;

  constructor(glob: string, { folds }: { folds: boolean }) {
    const text = folds ? foldPath(glob) : glob;
    this.folds = folds;
    this.#automaton = globAutomaton(text);
    const first = text.search(SPECIAL);
    this.#literal = first === -1;
    this.#prefix = first === -1 ? text : text.slice(0, first);
    this.#suffix = /[^*?[\]\\]*$/.exec(text)?.[0] ?? '';
    // `**/` may be nothing at all, the slash included.
    if (text.endsWith(`**${this.#suffix}`)) this.#suffix = this.#suffix.slice(1);
  }

  /** Whether it names a path, of which everything is known. `path` is folded already where the glob folds. */
  matches(path: string): boolean {
    if (this.#literal) return path === this.#prefix;
    if (!path.startsWith(this.#prefix) || !path.endsWith(this.#suffix)) return false;
    return intersect(this.#automaton, wordAutomaton(path));
  }

  /** Whether it could name what a word with marks turns out to be. */
  couldMatch(path: string): boolean {
    if (!this.#agreesAtTheEnds(path)) return false;
    return intersect(this.#automaton, wordAutomaton(path));
  }

  /**
   * Whether what is known of a word leads to what it names: a pattern that could stand for it, or a text without which
   * it could be that no more than anything else.
   */
  isPointedAtBy(path: string): boolean {
    if (!this.#agreesAtTheEnds(path) || !intersect(this.#automaton, wordAutomaton(path, { narrow: true })))
      return false;
    return isPattern(path) || !intersect(this.#automaton, wordAutomaton(withoutText(path), { narrow: true }));
  }

  /** Most words are told apart by what is known of them before the first mark and behind the last. */
  #agreesAtTheEnds(path: string): boolean {
    const [prefix, suffix] = [this.#prefix, this.#suffix];
    for (let at = 0; at < prefix.length && at < path.length; at += 1) {
      if (isMark(path.charAt(at))) break;
      if (path.charCodeAt(at) !== prefix.charCodeAt(at)) return false;
    }
    for (let back = 1; back <= suffix.length && back <= path.length; back += 1) {
      const at = path.length - back;
      if (isMark(path.charAt(at))) break;
      if (path.charCodeAt(at) !== suffix.charCodeAt(suffix.length - back)) return false;
    }
    return true;
  }

  /** Whether something below a directory could be named by it. */
  reachesBelow(directory: string): boolean {
    const prefix = directory.endsWith('/') ? directory : `${directory}/`;
    if (isKnown(prefix) && !this.#prefix.startsWith(prefix) && !prefix.startsWith(this.#prefix)) return false;
    return this.couldMatch(prefix + HOLE);
  }
}

/** Nothing in it is open but what the shell finds names for. */
function isPattern(path: string): boolean {
  return !path.includes(HOLE) && !path.includes(SPREAD) && !path.includes(NAME);
}

/** As if another text stood in it, which no glob spells. */
function withoutText(path: string): string {
  const start = path.startsWith(`${WORKSPACE}/`) ? WORKSPACE.length : 0;
  const open = [...path.slice(start)].map((character) =>
    character === '/' || isMark(character) ? character : NO_TEXT,
  );
  return path.slice(0, start) + open.join('');
}

/** As paths are compared where case may not count. */
export function foldPath(path: string): string {
  // Capitals first: `ſ` and `ß` are the same names as `s` and `ss` where case does not count.
  return path.toUpperCase().toLowerCase().normalize('NFC');
}
