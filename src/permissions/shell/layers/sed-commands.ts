import { ownEntry } from '../../text/own-entry.js';

/** A command of a `sed` script that reaches outside of it. */
export interface SedCommand {
  kind: 'read' | 'write' | 'run';
  /** The file, or the command; absent for one that runs what was read. */
  argument?: string;
}

/** Takes the rest of a line. */
const LINE = /[^\n]*/y;
const BLANKS = /[ \t]*/y;
const ADDRESS_END = /[ \t]*[IM]*[ \t]*/y;
const NUMBER_ADDRESS = /(?:\d+|\$|[+~]\d+)/y;
const STEP = /~\d+/y;
const LABEL = /[^\n;}]*/y;
const FLAGS = /[gpiImM\d]*/y;
/** A text may go on behind a line that ends in a backslash. */
const TEXT = /(?:\\[\s\S]|[^\n\\])*/y;

const FILES: Readonly<Record<string, SedCommand['kind']>> = { r: 'read', R: 'read', w: 'write', W: 'write' };

/** What a script of GNU's `sed` reads, writes and runs; `undefined` where it is not understood. */
export function sedCommands(script: string): SedCommand[] | undefined {
  return new SedReader(script).read();
}

class SedReader {
  readonly #text: string;
  readonly #found: SedCommand[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): SedCommand[] | undefined {
    while (this.#at < this.#text.length) {
      this.#take(/[\s;]*/y);
      if (this.#at >= this.#text.length) break;
      if (!this.#addresses() || !this.#command()) return undefined;
    }
    return this.#found;
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [text = ''] = pattern.exec(this.#text) ?? [];
    this.#at += text.length;
    return text;
  }

  #addresses(): boolean {
    if (!this.#address()) return false;
    this.#take(BLANKS);
    if (this.#text.charAt(this.#at) === ',') {
      this.#at += 1;
      this.#take(BLANKS);
      const start = this.#at;
      if (!this.#address() || this.#at === start) return false;
    }
    this.#take(/[ \t]*(?:![ \t!]*)?/y);
    return true;
  }

  /** Any or none. */
  #address(): boolean {
    const first = this.#text.charAt(this.#at);
    if (first !== '/' && first !== '\\') {
      if (this.#take(NUMBER_ADDRESS) !== '') this.#take(STEP);
      return true;
    }
    this.#at += first === '/' ? 0 : 1;
    const found = this.#part(this.#text.charAt(this.#at), this.#at + 1);
    if (found) this.#take(ADDRESS_END);
    return found;
  }

  #command(): boolean {
    const letter = this.#text.charAt(this.#at);
    this.#at += 1;
    switch (letter) {
      case '{':
        return true;
      case '#':
        this.#take(LINE);
        return true;
      case ':':
      case 'b':
      case 't':
      case 'T':
      case 'v':
        this.#take(LABEL);
        return true;
      case 'a':
      case 'i':
      case 'c':
        this.#take(TEXT);
        return true;
      case 'r':
      case 'R':
      case 'w':
      case 'W':
        this.#found.push({ kind: ownEntry(FILES, letter) ?? 'write', argument: this.#take(LINE).trim() });
        return true;
      case 'e': {
        const argument = this.#take(LINE).trim();
        this.#found.push(argument === '' ? { kind: 'run' } : { kind: 'run', argument });
        return true;
      }
      case 's':
        return this.#parts() && this.#substitutionFlags();
      case 'y':
        return this.#parts() && this.#end();
      case 'l':
      case 'L':
      case 'q':
      case 'Q':
        this.#take(/[ \t]*\d*/y);
        return this.#end();
      default:
        return letter !== '' && '}=dDgGhHnNpPxzF'.includes(letter) && this.#end();
    }
  }

  #substitutionFlags(): boolean {
    for (;;) {
      this.#take(FLAGS);
      const letter = this.#text.charAt(this.#at);
      if (letter === 'e') {
        this.#found.push({ kind: 'run' });
        this.#at += 1;
      } else if (letter === 'w') {
        this.#at += 1;
        this.#found.push({ kind: 'write', argument: this.#take(LINE).trim() });
        return true;
      } else return this.#end();
    }
  }

  /** The two parts of `s` and `y`. */
  #parts(): boolean {
    const delimiter = this.#text.charAt(this.#at);
    if (delimiter === '\\' || delimiter === '\n' || delimiter === '') return false;
    return this.#part(delimiter, this.#at + 1) && this.#part(delimiter, this.#at);
  }

  /** Up to a delimiter. One inside brackets ends the part for some and not for others. */
  #part(delimiter: string, start: number): boolean {
    let inBracket = false;
    for (let at = start; at < this.#text.length; at += 1) {
      const character = this.#text.charAt(at);
      if (character === '\\') at += 1;
      else if (character === delimiter) {
        if (inBracket && this.#text.slice(at, at + 200).includes(']')) return false;
        this.#at = at + 1;
        return true;
      } else if (character === '[') inBracket = true;
      else if (character === ']') inBracket = false;
      else if (character === '\n') return false;
    }
    return false;
  }

  /** A command ends here. */
  #end(): boolean {
    this.#take(BLANKS);
    const next = this.#text.charAt(this.#at);
    return next === '' || '\n;}#'.includes(next);
  }
}
