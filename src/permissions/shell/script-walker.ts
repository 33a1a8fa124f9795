import { resolvePath } from '../paths/resolve-path.js';
import { HOLE, isKnown } from '../text/marks.js';
import { steersPrograms } from './allow-limits.js';
import type { Layer } from './layers/layer.js';
import { layerOf } from './layers/layer-of.js';
import { nextDirectories } from './next-directories.js';
import { programName } from './programs/program-name.js';
import { addTraits, noTraits, runsHiddenCode } from './syntax/hidden-code.js';
import { variablesSetBy } from './syntax/set-variables.js';
import type { RawCommand, ShellCommand, ShellReading } from './syntax/shell-command.js';
import type { ShellSyntax, SimpleCommand, Span, Step, TextTraits } from './syntax/shell-syntax.js';
import { unbashSyntax } from './syntax/unbash-syntax.js';

/** Scripts inside scripts (`bash -c`, `eval`) are followed this deep. */
const MAX_DEPTH = 8;
/** Wrappers around wrappers as well. */
const MAX_LAYERS = 8;
const MAX_COMMANDS = 20_000;
/** Of all scripts together: a text may be looked at more than once. */
const MAX_TOTAL_LENGTH = 1024 * 1024;
/** Expansions and here-documents that a text may open: they cost the parser the square of their number. */
const MAX_OPENINGS = 1_000;
const MAX_DIRECTORIES = 8;
/** Scripts of one command whose places are looked for. */
const MAX_LOOKED_FOR = 16;
const ANYWHERE: readonly string[] = [HOLE];

export interface WalkerOptions {
  cwd: string;
  /** What `~` stands for; absent when the text may change it. */
  home?: string;
  /** A star may stand for names with a leading dot, or go through directories. */
  globsDots?: boolean;
  /** Programs and variables mean what they do elsewhere. */
  keepsMeanings?: boolean;
  syntax?: ShellSyntax;
}

/** Where a script is found. */
interface Place {
  depth: number;
  via: readonly string[];
  guessed: boolean;
  /** The command that runs it. */
  owner?: ShellCommand;
  /** The command that runs it by its own last words. */
  wrapper?: ShellCommand | undefined;
  /** Where it stands in the text that was asked about: from `offset` on, or somewhere in `span`. */
  within?: { span: Span; offset?: number } | undefined;
}

/** Directories in which the next command may run, by how the one before ended. */
interface Ends {
  success: readonly string[];
  failure: readonly string[];
}

/** Walks through a script and all that it runs, and notes every simple command with the directories it may run in. */
export class ScriptWalker {
  readonly #commands: ShellCommand[] = [];
  readonly #functions = new Set<string>();
  readonly #options: WalkerOptions;
  readonly #syntax: ShellSyntax;
  readonly #traits = noTraits();
  #unreadable: string | undefined;
  #unreadableIn: ShellCommand | undefined;
  #malformed = false;
  #totalLength = 0;
  #source = '';

  constructor(options: WalkerOptions) {
    this.#options = options;
    this.#syntax = options.syntax ?? unbashSyntax;
  }

  get reading(): ShellReading {
    return {
      commands: this.#commands,
      malformed: this.#malformed,
      functions: this.#functions,
      ...(this.#unreadable === undefined ? {} : { unreadable: this.#unreadable }),
      ...(this.#traits.evaluatesOutside ? { evaluatesOutside: true } : {}),
      ...(this.#unreadableIn === undefined ? {} : { unreadableIn: this.#unreadableIn }),
    };
  }

  read(text: string): ShellReading {
    this.#source = text;
    this.#script(text, { depth: 0, via: [], guessed: false }, [this.#options.cwd]);
    return this.reading;
  }

  #script(text: string, place: Place, directories: readonly string[]): readonly string[] {
    this.#totalLength += text.length;
    const cap = this.#capReached(text, place.depth);
    if (cap !== undefined) {
      this.#giveUp(cap, place);
      return ANYWHERE;
    }
    const { home, globsDots = false, keepsMeanings = false } = this.#options;
    const { steps, unreadable, traits } = this.#syntax.read(text, {
      ...(home === undefined ? {} : { home }),
      globsDots,
      keepsMeanings,
    });
    if (!place.guessed) this.#noteTraits(traits);
    if (unreadable !== undefined) {
      this.#giveUp(unreadable, place);
      if (place.depth === 0) this.#malformed = true;
    }
    return union(this.#steps(steps, place, directories));
  }

  #noteTraits(traits: TextTraits): void {
    addTraits(this.#traits, traits);
    if (runsHiddenCode(this.#traits)) this.#unreadable ??= 'quoted code in it may be expanded later';
  }

  #capReached(text: string, depth: number): string | undefined {
    if (!isKnown(text)) return 'a script in it is not known';
    if (depth > MAX_DEPTH) return 'scripts in it are nested too deep';
    if (text.length > MAX_OPENINGS && openings(text) > MAX_OPENINGS)
      return 'it holds too many expansions or here-documents';
    if (this.#totalLength > MAX_TOTAL_LENGTH || this.#commands.length > MAX_COMMANDS)
      return 'it runs too many commands';
    return undefined;
  }

  /** A guess at what code of another language runs is no reason to refuse when it cannot be read. */
  #giveUp(why: string, { guessed, owner }: Place): void {
    if (guessed || this.#unreadable !== undefined) return;
    this.#unreadable = why;
    this.#unreadableIn = owner;
  }

  #steps(steps: readonly Step[], place: Place, start: readonly string[]): Ends {
    let ends: Ends = { success: start, failure: start };
    for (const step of steps) ends = this.#step(step, place, union(ends));
    return ends;
  }

  #step(step: Step, place: Place, directories: readonly string[]): Ends {
    const stays = { success: directories, failure: directories };
    switch (step.kind) {
      case 'command':
        return this.#command(step.command, place, directories);
      case 'join': {
        const left = this.#steps(step.left, place, directories);
        const right = this.#steps(step.right, place, step.operator === '&&' ? left.success : left.failure);
        return step.operator === '&&'
          ? { success: right.success, failure: merge(left.failure, right.failure) }
          : { success: merge(left.success, right.success), failure: right.failure };
      }
      case 'isolated':
        this.#steps(step.steps, place, directories);
        return stays;
      case 'choice': {
        const ends = step.choices.map((choice) => union(this.#steps(choice, place, directories)));
        const after = ends.reduce(merge, directories);
        return { success: after, failure: after };
      }
      case 'loop':
        return this.#loop(step.steps, place, directories);
      case 'set':
        return this.#set(step, place, directories);
      case 'function':
        this.#functions.add(step.name);
        // It is called from somewhere, perhaps after a `cd`, and may do one itself.
        return changesDirectory(step.steps)
          ? this.#loop(step.steps, place, ANYWHERE)
          : this.#functionBody(step.steps, place, directories);
    }
  }

  /** As the assignment that it is; of others than those that steer programs nothing depends. */
  #set({ name, value, span }: Extract<Step, { kind: 'set' }>, place: Place, directories: readonly string[]): Ends {
    const stays = { success: directories, failure: directories };
    // One whose name is not known may be that one too.
    const assignment = `${name ?? 'PATH'}=${value}`;
    if (!steersPrograms(assignment)) return stays;
    return this.#command({ words: [], assignments: [assignment], redirects: [], span }, place, directories);
  }

  #functionBody(steps: readonly Step[], place: Place, directories: readonly string[]): Ends {
    this.#steps(steps, place, merge(directories, ANYWHERE));
    return { success: directories, failure: directories };
  }

  /** A loop that changes directory may end up anywhere. */
  #loop(steps: readonly Step[], place: Place, directories: readonly string[]): Ends {
    const start = changesDirectory(steps) ? merge(directories, ANYWHERE) : directories;
    const after = merge(directories, union(this.#steps(steps, place, start)));
    return { success: after, failure: after };
  }

  #command(command: RawCommand, place: Place, directories: readonly string[]): Ends {
    const shown = place.within === undefined ? command : relocate(command, place.within);
    const stays = this.#layers(shown, place, directories);
    return nextDirectories(command, stays, this.#options.home);
  }

  /** What a builtin sets, in front of it. */
  #setBy({ words, span }: RawCommand, place: Place, directories: readonly string[]): void {
    for (const one of variablesSetBy(words.map(({ text }) => text)))
      this.#set({ kind: 'set', value: HOLE, ...one, span }, { ...place, within: undefined }, directories);
  }

  /** The command and what it runs. @returns where the shell is afterwards, `cd` aside */
  #layers(command: RawCommand, place: Place, directories: readonly string[]): readonly string[] {
    const tooDeep = place.via.length > MAX_LAYERS;
    const layer: Layer | undefined = tooDeep ? { scripts: [{ text: undefined }] } : layerOf(command);
    const inner = layer?.inner?.filter(({ words }) => words.length > 0) ?? [];
    this.#setBy(command, place, directories);
    const shown: ShellCommand = {
      words: command.words.map(({ text }) => text),
      spans: command.words.map(({ span }) => span),
      span: command.span,
      assignments: command.assignments,
      redirects: command.redirects,
      ...stdinOf(command),
      via: place.via,
      transparent: layer?.transparent === true && inner.length > 0,
      wraps: inner.length > 0,
      directories,
      guessed: place.guessed,
      ...(place.wrapper === undefined ? {} : { wrapper: place.wrapper }),
    };
    this.#commands.push(shown);
    if (layer === undefined) return directories;
    const deeper = { ...place, wrapper: undefined, via: [...place.via, programName(command.words[0]?.text ?? '')] };
    const { directory } = layer;
    const inside = directory === undefined ? directories : moveTo(directories, directory);
    // Whoever is asked about a `cd` is asked about this one too.
    if (directory !== undefined)
      this.#commands.push({ ...shown, ...cdTo(directory, command.span), via: deeper.via, directories });
    for (const one of inner)
      this.#layers(
        { redirects: [], ...fedTo(command), span: spanOf(one, command), ...one },
        { ...deeper, wrapper: endsWith(shown, one) ? shown : undefined },
        inside,
      );
    const ends = this.#nested({ layer, command }, { ...deeper, depth: place.depth + 1, owner: shown }, inside);
    return directory === undefined ? ends : directories;
  }

  #nested(
    { layer: { scripts }, command }: { layer: Layer; command: RawCommand },
    place: Place,
    directories: readonly string[],
  ): readonly string[] {
    let after = directories;
    for (const { text, here, guessed } of scripts) {
      const within = scripts.length > MAX_LOOKED_FOR ? command : placeOf(this.#source, text, command);
      const inner = { ...place, within, guessed: place.guessed || guessed === true };
      if (text === undefined) this.#giveUp('it runs code that is not known', inner);
      else {
        const ends = this.#script(text, inner, directories);
        if (here === true) after = merge(after, ends);
      }
    }
    return after;
  }
}

/** Where a script stands that a command runs: in one of its words, or in several as they are written. */
function placeOf(source: string, text: string | undefined, { words, span }: RawCommand): NonNullable<Place['within']> {
  if (text === undefined) return { span };
  const word = words.find((one) => one.text.includes(text));
  const place = word?.span ?? span;
  const at = source.slice(place.from, place.to).indexOf(text);
  return at === -1 ? { span: place } : { span: place, offset: place.from + at };
}

function endsWith({ words }: ShellCommand, { words: last }: Pick<RawCommand, 'words'>): boolean {
  const from = words.length - last.length;
  return from > 0 && last.every(({ text }, index) => words[from + index] === text);
}

function cdTo(
  directory: string,
  span: Span,
): Pick<ShellCommand, 'words' | 'spans' | 'assignments' | 'redirects'> & {
  transparent: false;
  wraps: false;
} {
  return {
    words: ['cd', directory],
    spans: [span, span],
    assignments: [],
    redirects: [],
    transparent: false,
    wraps: false,
  };
}

function stdinOf({ stdin, piped }: RawCommand): { stdin?: string } {
  const text = stdin ?? piped;
  return text === undefined ? {} : { stdin: text };
}

/** What comes through a pipe comes to what a wrapper runs. */
function fedTo({ piped, source }: RawCommand): Pick<RawCommand, 'piped' | 'source'> {
  return { ...(piped === undefined ? {} : { piped }), ...(source === undefined ? {} : { source }) };
}

function openings(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    const next = text.charCodeAt(at + 1);
    // A backtick, `<<`, or `$`, `<` or `>` before `(` or `{`.
    if (character === 0x60 || (character === 0x3c && next === 0x3c)) count += 1;
    else if ((next === 0x28 || next === 0x7b) && (character === 0x24 || character === 0x3c || character === 0x3e))
      count += 1;
  }
  return count;
}

/** Positions inside a nested script are those where it stands, or of the word or the command that holds it. */
function relocate(command: RawCommand, { span, offset }: NonNullable<Place['within']>): RawCommand {
  const moved = ({ from, to }: Span) => (offset === undefined ? span : { from: from + offset, to: to + offset });
  return {
    ...command,
    span: moved(command.span),
    words: command.words.map((word) => ({ ...word, span: moved(word.span) })),
  };
}

function spanOf({ words }: Pick<RawCommand, 'words'>, { span }: RawCommand): RawCommand['span'] {
  const [first] = words;
  return first === undefined ? span : { from: first.span.from, to: span.to };
}

const CHANGING = new WeakMap<readonly Step[], boolean>();

/** Of steps in steps in steps each is asked once. */
function changesDirectory(steps: readonly Step[]): boolean {
  const known = CHANGING.get(steps);
  if (known !== undefined) return known;
  const changes = mayChangeDirectory(steps);
  CHANGING.set(steps, changes);
  return changes;
}

function mayChangeDirectory(steps: readonly Step[]): boolean {
  return steps.some((step) => {
    switch (step.kind) {
      case 'command':
        return mayMove(step.command.words);
      case 'join':
        return changesDirectory(step.left) || changesDirectory(step.right);
      case 'choice':
        return step.choices.some(changesDirectory);
      case 'isolated':
      case 'set':
        return false;
      default:
        return changesDirectory(step.steps);
    }
  });
}

/** `command -p cd` is `cd`. */
function mayMove([first, ...rest]: SimpleCommand['words']): boolean {
  const name = first?.text ?? '';
  if (/^(?:command|builtin)$/.test(name)) return mayMove(rest.filter(({ text }) => !text.startsWith('-')));
  return !isKnown(name) || /^(?:cd|pushd|popd|eval|\.|source|trap)$/.test(name);
}

function moveTo(directories: readonly string[], directory: string): readonly string[] {
  return directories.map((from) => resolvePath(from, directory));
}

function union({ success, failure }: Ends): readonly string[] {
  return merge(success, failure);
}

function merge(left: readonly string[], right: readonly string[]): readonly string[] {
  if (left === right || right.every((one) => left.includes(one))) return left;
  const all = [...new Set([...left, ...right])];
  return all.length > MAX_DIRECTORIES ? ANYWHERE : all;
}
