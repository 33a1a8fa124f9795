import { HOLE } from '../wildcard.js';
import { Cursor } from './cursor.js';
import type { ReadWord } from './read-word.js';
import { readArithmetic, readWord } from './read-word.js';
import type { RawCommand } from './shell-command.js';

/** Words after which a command follows at once. */
const BEFORE_COMMAND = new Set(['if', 'then', 'else', 'elif', 'while', 'until', 'do', '!', '{']);
const AFTER_COMMAND = new Set(['fi', 'done', '}', 'esac']);

const BLANKS = /(?:[ \t]|\\\n)+/y;
const COMMENT = /#[^\n]*/y;
const REDIRECT = /(?:\d+|\{[A-Za-z_]\w*\})?(?:<<<|<<-|<<|<>|<&|<(?!\()|>>|>\||>&|>(?!\())|&>>|&>/y;
const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[\s\S]*\]|\0\]*)?\+?=/;
/** A subscript that may hold blanks or quotes: whether an assignment or a command begins here is not told apart. */
const SUBSCRIPT = /^[A-Za-z_]\w*[[\0]/;

/** Holds the place of a double quote that quotes nothing. */
const PLAIN_QUOTE = '\u0002';

interface Heredoc {
  command: RawCommand;
  delimiter: string;
  quoted: boolean;
  stripTabs: boolean;
}

/** Reads every simple command of a script and of the substitutions in it, in the order they are written. */
export function readCommands(
  text: string,
  readScript: (text: string) => void,
): { commands: RawCommand[]; unreadable: boolean } {
  const reader = new CommandReader(text, readScript);
  reader.readList('end');
  return { commands: reader.commands, unreadable: reader.cursor.unreadable };
}

class CommandReader {
  readonly cursor: Cursor;
  readonly commands: RawCommand[] = [];
  readonly #heredocs: Heredoc[] = [];
  readonly #nested: { list: () => void; script: (text: string) => void };

  constructor(text: string, readScript: (text: string) => void) {
    this.cursor = new Cursor(text);
    this.#nested = { list: () => this.#readSubstitution(), script: readScript };
  }

  /** Up to and with a `)`, up to the `;;` or `esac` of a case branch, or up to the end. */
  readList(close: 'end' | ')' | 'case'): void {
    const { cursor } = this;
    while (true) {
      this.#skipBlanks();
      if (cursor.atEnd) {
        if (close !== 'end' || this.#heredocs.length > 0) cursor.unreadable = true;
        return;
      }
      if (cursor.take('\n')) this.#readHeredocs();
      else if (cursor.startsWith(')')) {
        if (close === ')') {
          cursor.position += 1;
          return;
        }
        cursor.giveUp();
      } else if (
        close === 'case' &&
        (cursor.takeMatch(/;;&?|;&/y) !== undefined || /^esac(?![\w-])/.test(this.#ahead(5)))
      ) {
        return;
      } else if (cursor.startsWith('((')) {
        cursor.position += 2;
        readArithmetic(cursor, this.#nested);
      } else if (cursor.take('(')) cursor.nested(() => this.readList(')'));
      else if (cursor.takeMatch(/;;&?|;&|;|&&|\|\||\|&|\||&(?!>)/y) === undefined) this.#readSimpleCommand();
    }
  }

  /** After `$(` or `<(`. A here-document across its border is read differently by different shells. */
  #readSubstitution(): void {
    if (this.#heredocs.length > 0) this.cursor.giveUp();
    this.readList(')');
    if (this.#heredocs.length > 0) this.cursor.giveUp();
  }

  #readSimpleCommand(): void {
    const { cursor } = this;
    const command: RawCommand = { words: [], assignments: [], redirects: [] };
    while (true) {
      this.#skipBlanks();
      if (this.#readRedirect(command)) continue;
      if (cursor.atEnd || /[\n;&|)]/.test(cursor.peek())) break;
      if (cursor.peek() === '(') {
        if (this.#readFunctionHead(command)) return;
        cursor.giveUp();
        break;
      }
      const word = readWord(cursor, this.#nested);
      if (word === undefined) {
        cursor.giveUp();
        break;
      }
      if (command.words.length > 0) command.words.push(word.text);
      else if (this.#readFirstWord(word, command) === 'not a command') return;
    }
    if (command.words.length + command.assignments.length + command.redirects.length > 0) this.commands.push(command);
  }

  /** An assignment, a reserved word with what belongs to it, or the command's name. */
  #readFirstWord(word: ReadWord, command: RawCommand): 'not a command' | undefined {
    const bare = word.text.slice(0, word.bareLength);
    if (ASSIGNMENT.test(bare)) {
      command.assignments.push(word.text);
      if (word.text.endsWith('=') && this.cursor.peek() === '(') this.#readArray();
      return undefined;
    }
    if (SUBSCRIPT.test(bare)) this.cursor.unreadable = true;
    const reserved = word.bareLength === word.text.length && command.assignments.length === 0 ? word.text : '';
    if (BEFORE_COMMAND.has(reserved) || AFTER_COMMAND.has(reserved)) {
      if (command.redirects.length > 0) this.commands.push(command);
      return 'not a command';
    }
    switch (reserved) {
      case 'time':
        this.cursor.takeMatch(/(?:[ \t]+-[-p](?=\s))+/y);
        return 'not a command';
      case 'coproc':
        if (/^\s*\w+\s+[{(]/.test(this.#ahead(200))) this.cursor.giveUp();
        return 'not a command';
      case 'function':
        this.cursor.takeMatch(/[ \t]+[^\s(){};&|<>]+[ \t]*(?:\([ \t]*\))?/y);
        return 'not a command';
      case 'for':
      case 'select':
        this.#readFor();
        return 'not a command';
      case 'case':
        this.cursor.nested(() => this.#readCase());
        return 'not a command';
      case '[[':
        this.#readTest();
        return 'not a command';
      default:
        command.words.push(word.text);
        return undefined;
    }
  }

  /** `name()`: what the function does is judged where it is written. */
  #readFunctionHead(command: RawCommand): boolean {
    if (command.words.length !== 1 || command.assignments.length + command.redirects.length > 0) return false;
    return this.cursor.takeMatch(/\([ \t]*\)/y) !== undefined;
  }

  #readArray(): void {
    const { cursor } = this;
    cursor.position += 1;
    while (!cursor.atEnd) {
      this.#skipBlanks();
      if (cursor.take('\n')) continue;
      if (cursor.take(')')) return;
      if (readWord(cursor, this.#nested) === undefined) break;
    }
    cursor.giveUp();
  }

  #readFor(): void {
    const { cursor } = this;
    if (cursor.takeMatch(/[ \t]*\(\(/y) !== undefined) {
      readArithmetic(cursor, this.#nested);
      return;
    }
    this.#skipBlanks();
    if (cursor.takeMatch(/[A-Za-z_]\w*/y) === undefined) cursor.giveUp();
    cursor.takeMatch(/[ \t\n]+(?=in\b)/y);
    if (cursor.takeMatch(/in(?=[\s;])/y) === undefined) return;
    this.#readWords();
  }

  /** Words that are data, up to the next operator. */
  #readWords(): void {
    do this.#skipBlanks();
    while (readWord(this.cursor, this.#nested) !== undefined);
  }

  #readCase(): void {
    const { cursor } = this;
    this.#skipBlanks();
    readWord(cursor, this.#nested);
    if (cursor.takeMatch(/\s+in(?=\s)/y) === undefined) cursor.giveUp();
    while (!cursor.atEnd) {
      this.#skipSpace();
      if (cursor.takeMatch(/esac(?![\w-])/y) !== undefined) return;
      cursor.take('(');
      do this.#readWords();
      while (cursor.take('|'));
      if (!cursor.take(')')) break;
      this.readList('case');
    }
    cursor.giveUp();
  }

  /** `[[ … ]]`: operators inside are not the shell's. */
  #readTest(): void {
    const { cursor } = this;
    while (!cursor.atEnd) {
      this.#skipSpace();
      const word = readWord(cursor, this.#nested);
      if (word?.text === ']]' && word.bareLength === 2) return;
      // `-v` and the arithmetic comparisons evaluate their operands, subscripts and all.
      if (word !== undefined && /^-(?:v|eq|ne|lt|le|gt|ge)$/.test(word.text)) cursor.unreadable = true;
      if (word === undefined && cursor.takeMatch(/[&|<>()]/y) === undefined) break;
    }
    cursor.giveUp();
  }

  #readRedirect(command: RawCommand): boolean {
    const { cursor } = this;
    const operator = cursor.takeMatch(REDIRECT)?.replace(/^(?:\d+|\{\w+\})/, '');
    if (operator === undefined) return false;
    this.#skipBlanks();
    const start = cursor.position;
    const word = readWord(cursor, this.#nested);
    if (word === undefined) cursor.giveUp();
    const target = word?.text ?? HOLE;
    if (operator === '<<' || operator === '<<-') {
      // A quote anywhere in the delimiter, one around nothing included, keeps the body literal.
      const quoted = /['"\\]/.test(cursor.text.slice(start, cursor.position));
      this.#heredocs.push({ command, delimiter: target, quoted, stripTabs: operator === '<<-' });
      command.stdin = '';
    } else if (operator === '<<<') command.stdin = target;
    else if (!/^[<>]&$/.test(operator) || !/^(?:\d+-?|-)$/.test(target)) {
      command.redirects.push({ kind: operator.startsWith('<') && operator !== '<>' ? 'read' : 'write', target });
    }
    return true;
  }

  #readHeredocs(): void {
    for (const heredoc of this.#heredocs.splice(0)) {
      const body = this.#readHeredocBody(heredoc);
      if (body === undefined) return;
      heredoc.command.stdin = heredoc.quoted ? body : this.#expandHeredoc(body);
    }
  }

  #readHeredocBody({ delimiter, stripTabs }: Heredoc): string | undefined {
    const { cursor } = this;
    const lines: string[] = [];
    while (!cursor.atEnd) {
      const end = cursor.text.indexOf('\n', cursor.position);
      const raw = cursor.text.slice(cursor.position, end === -1 ? undefined : end);
      cursor.position = end === -1 ? cursor.text.length : end + 1;
      const line = stripTabs ? raw.replace(/^\t+/, '') : raw;
      if (line === delimiter) return lines.join('\n');
      lines.push(line);
    }
    cursor.giveUp();
    return undefined;
  }

  /** An unquoted body is text between double quotes, in which double quotes are plain. */
  #expandHeredoc(body: string): string {
    if (!/[$`\\]/.test(body)) return body;
    // Quotes inside a substitution quote again; a body that mixes both is left alone.
    if (body.includes('"') && /\$[({]|`/.test(body)) {
      this.cursor.unreadable = true;
      return HOLE;
    }
    const inner = new CommandReader(`"${body.replaceAll('"', PLAIN_QUOTE)}"`, this.#nested.script);
    const word = readWord(inner.cursor, inner.#nested);
    this.commands.push(...inner.commands);
    if (word !== undefined && inner.cursor.atEnd && !inner.cursor.unreadable)
      return word.text.replaceAll(PLAIN_QUOTE, '"');
    this.cursor.unreadable = true;
    return HOLE;
  }

  #skipBlanks(): void {
    this.cursor.takeMatch(BLANKS);
    const { cursor } = this;
    const before = cursor.text[cursor.position - 1];
    if (cursor.peek() === '#' && (before === undefined || /[\s;&|()]/.test(before))) cursor.takeMatch(COMMENT);
  }

  #skipSpace(): void {
    do this.#skipBlanks();
    while (this.cursor.take('\n'));
  }

  #ahead(length: number): string {
    return this.cursor.text.slice(this.cursor.position, this.cursor.position + length);
  }
}
