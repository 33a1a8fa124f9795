import {
  type Assignment,
  type Command,
  type CommandNode,
  type For,
  forEachChild,
  type ParsedScript,
  parse,
  type Redirection,
  type Statement,
  type SyntaxNode,
} from 'unbash';
import { HOLE, isKnown, NAME, SPREAD } from '../../text/marks.js';
import { evaluatesOutside } from './evaluated-values.js';
import {
  addTraits,
  evaluatesOperand,
  noTraits,
  traitsOfCommand,
  traitsOfLiteral,
  traitsOfVariable,
} from './hidden-code.js';
import { pipeInto } from './piped-input.js';
import { namesSetByExpression } from './set-variables.js';
import { settledVariables } from './settled-variables.js';
import type {
  ShellRedirect,
  ShellSyntax,
  ShellText,
  ShellWord,
  SimpleCommand,
  Span,
  Step,
  SyntaxOptions,
} from './shell-syntax.js';
import { findScripts, readBody, readText, readWords, type WordSink } from './unbash-words.js';

/** The tables of aliases and of found programs: what is set in them a later word runs. */
const COMMAND_TABLE = /(?:^|=)BASH_(?:ALIASES|CMDS)(?:\[|\+?=|$)/;

/** Values of a loop's variable that are told apart. */
const MAX_SHOWN = 16;
/** Of the bodies of loops, written out for each value that the variable takes, all together. */
const MAX_WRITTEN_OUT = 16 * 1024;

/** bash as `unbash` reads it. Above 400 lines: one walk over one grammar, each of its parts once. */
export const unbashSyntax: ShellSyntax = {
  read: (text, options) => new TextReader(options).read(text),
};

class TextReader implements WordSink {
  readonly home: string | undefined;
  readonly globsDots: boolean;
  readonly keepsMeanings: boolean;
  #unreadable: string | undefined;
  readonly #traits = noTraits();
  /** Quoted texts that would give a variable a value if they were read as an expression. */
  readonly #literals: string[] = [];
  /** The steps being collected: substitutions come before the command that they stand in. */
  #steps: Step[] = [];
  /** Positions inside an escaped backtick script count from its own start. */
  #fixedSpan: Span | undefined;
  #settled: ReadonlySet<string> = new Set();
  /** What the settled variables hold where the reader is. */
  #values = new Map<string, string>();
  /** How much was written out. */
  #writtenOut = 0;

  constructor({ home, globsDots = false, keepsMeanings = false }: SyntaxOptions) {
    this.home = home;
    this.globsDots = globsDots;
    this.keepsMeanings = keepsMeanings;
  }

  read(text: string): ShellText {
    const script = parse(text);
    this.#settled = settledVariables(text, script);
    const steps = this.#script(script);
    if (this.#traits.evaluates) {
      steps.push(...this.#setInExpressions(text));
      // A text that is no command is not allowed anyway.
      this.#traits.evaluatesOutside = script.errors === undefined && evaluatesOutside(script);
    }
    const traits = { ...this.#traits };
    return this.#unreadable === undefined ? { steps, traits } : { steps, traits, unreadable: this.#unreadable };
  }

  script(script: ParsedScript): void {
    const steps = this.#script(script);
    if (steps.length > 0) this.#steps.push({ kind: 'isolated', steps });
  }

  unreadable(why: string): void {
    this.#unreadable ??= why;
  }

  evaluates(): void {
    this.#traits.evaluates = true;
  }

  literal(text: string): void {
    addTraits(this.#traits, traitsOfLiteral(text));
    if (text.includes('=') || text.includes('++') || text.includes('--')) this.#literals.push(text);
  }

  sets(name: string | undefined, node: { pos: number; end: number }): void {
    if (name !== undefined) addTraits(this.#traits, traitsOfVariable(name));
    this.#set(name, HOLE, this.place(node));
  }

  valueOf(name: string): string | undefined {
    return this.#values.get(name);
  }

  place({ pos, end }: { pos: number; end: number }): Span {
    return this.#fixedSpan ?? { from: pos, to: end };
  }

  #set(name: string | undefined, value: string, span: Span): void {
    this.#steps.push(name === undefined ? { kind: 'set', value, span } : { kind: 'set', name, value, span });
  }

  /** Expressions may stand in any text, as a variable's value is read as one. */
  #setInExpressions(text: string): Step[] {
    const span = { from: 0, to: text.length };
    const texts = [text.replace(/["'\\]/g, ''), ...this.#literals];
    const names = new Set(texts.flatMap((one) => namesSetByExpression(one)));
    return [...names].map((name) => ({ kind: 'set', name, value: HOLE, span }));
  }

  #script(script: ParsedScript): Step[] {
    const [error] = script.errors ?? [];
    if (error !== undefined) this.unreadable(`syntax error: ${error.message}`);
    const outer = this.#fixedSpan;
    if (script.source !== undefined) this.#fixedSpan ??= { from: script.pos, to: script.end };
    const steps = this.#collect(() => this.#statements(script.commands));
    this.#fixedSpan = outer;
    return steps;
  }

  /** What is read there may not run, or in another process: variables have other values behind it. */
  #collect(read: () => void): Step[] {
    if (this.#settled.size === 0) return this.#collectSteps(read);
    const outer = this.#values;
    this.#values = new Map(outer);
    const steps = this.#collectSteps(read);
    this.#values = outer;
    return steps;
  }

  #collectSteps(read: () => void): Step[] {
    const outer = this.#steps;
    const steps: Step[] = [];
    this.#steps = steps;
    read();
    this.#steps = outer;
    return steps;
  }

  #statements(statements: readonly Statement[]): void {
    for (const { command, background } of statements) {
      if (background === true) this.#steps.push({ kind: 'isolated', steps: this.#collect(() => this.#node(command)) });
      else this.#node(command);
    }
  }

  #node(node: Statement['command'] | SyntaxNode): void {
    switch (node.type) {
      case 'AndOr':
        return this.#andOr(node.commands, node.operators);
      case 'Pipeline': {
        const start = this.#steps.length;
        this.#pipeline(node.commands);
        if (node.prefixes?.some(({ type }) => type === 'Time') === true)
          this.#steps.push(...this.#steps.splice(start).map(asProgram));
        return;
      }
      case 'Command':
        return this.#command(node);
      case 'Redirected':
        this.#group(node.redirects, this.place(node));
        return this.#node(node.command);
      case 'Subshell':
        this.#steps.push({ kind: 'isolated', steps: this.#collect(() => this.#statements(node.body.commands)) });
        return;
      case 'BraceGroup':
        return this.#statements(node.body.commands);
      case 'CompoundList':
        return this.#statements(node.commands);
      case 'Function': {
        const steps = this.#collect(() => this.#node(node.body));
        this.#steps.push({ kind: 'function', name: node.name.value, steps });
        return;
      }
      case 'Coproc':
        this.sets(node.name?.text ?? 'COPROC', node);
        this.#steps.push({ kind: 'isolated', steps: this.#collect(() => this.#node(node.body)) });
        return;
      default:
        return this.#compound(node);
    }
  }

  #compound(node: SyntaxNode): void {
    switch (node.type) {
      case 'If': {
        this.#statements(node.clause.commands);
        const choices = [this.#collect(() => this.#statements(node.then.commands))];
        for (const { clause, then } of node.elif) {
          choices.push(this.#collect(() => this.#statements([...clause.commands, ...then.commands])));
        }
        const { else: otherwise } = node;
        if (otherwise !== undefined) choices.push(this.#collect(() => this.#statements(otherwise.commands)));
        this.#steps.push({ kind: 'choice', choices });
        return;
      }
      case 'For':
        return this.#for(node);
      case 'Select':
        this.sets(node.name.value, node);
        for (const word of node.wordlist ?? []) readWords(word, this);
        return this.#loop(node.body.commands);
      case 'While':
        return this.#loop([...node.clause.commands, ...node.body.commands]);
      case 'ArithmeticFor':
        this.evaluates();
        for (const part of [node.initialize, node.test, node.update]) if (part !== undefined) findScripts(part, this);
        return this.#loop(node.body.commands);
      case 'Case': {
        readWords(node.word, this);
        for (const { pattern } of node.items) for (const word of pattern) findScripts(word, this);
        const choices = node.items.map(({ body }) => this.#collect(() => this.#statements(body.commands)));
        this.#steps.push({ kind: 'choice', choices });
        return;
      }
      case 'TestCommand':
        this.#test(node);
        return;
      case 'ArithmeticCommand':
        this.evaluates();
        forEachChild(node, (child) => findScripts(child, this));
        return;
      default:
        this.unreadable(`a part of the command is not understood (${node.type})`);
    }
  }

  #loop(statements: readonly Statement[]): void {
    this.#steps.push({ kind: 'loop', steps: this.#collect(() => this.#statements(statements)) });
  }

  /** Written out for each value, where they are few. */
  #for(node: For): void {
    const {
      name: { value: name },
      wordlist = [],
      body,
    } = node;
    addTraits(this.#traits, traitsOfVariable(name));
    const values = wordlist.flatMap((word) => readWords(word, this).map(({ text }) => text));
    for (const value of values.length > 0 && values.length <= MAX_SHOWN ? values : [HOLE])
      this.#set(name, value, this.place(node));
    const writtenOut = this.#writtenOut + values.length * (body.end - body.pos);
    const isKnowable = this.#settled.has(name) && values.length > 0 && writtenOut <= MAX_WRITTEN_OUT;
    if (!isKnowable || values.some((value) => value === '' || value.includes(SPREAD))) {
      this.#values.delete(name);
      return this.#loop(body.commands);
    }
    this.#writtenOut = writtenOut;
    const choices = values.map((value) =>
      this.#collect(() => {
        this.#values.set(name, value);
        this.#statements(body.commands);
      }),
    );
    // A loop around this one has given it another value.
    this.#values.delete(name);
    const [only] = choices;
    const steps: readonly Step[] = choices.length === 1 && only !== undefined ? only : [{ kind: 'choice', choices }];
    this.#steps.push({ kind: 'loop', steps });
  }

  #test(node: SyntaxNode): void {
    if ((node.type === 'TestUnary' || node.type === 'TestBinary') && evaluatesOperand(node.operator)) this.evaluates();
    if (node.type === 'Word') findScripts(node, this);
    else forEachChild(node, (child) => this.#test(child));
  }

  #andOr(nodes: readonly SyntaxNode[], operators: readonly ('&&' | '||')[]): void {
    let left = this.#collectSteps(() => nodes[0] !== undefined && this.#node(nodes[0]));
    // The first one always runs, the others of a chain of `&&` before those behind them.
    const after = this.#values;
    if (this.#settled.size > 0) this.#values = new Map(after);
    for (const [index, operator] of operators.entries()) {
      const next = nodes[index + 1];
      if (operator === '||') this.#values = after;
      const chains = operator === '&&' && this.#values !== after;
      const read = () => next !== undefined && this.#node(next);
      const right = chains ? this.#collectSteps(read) : this.#collect(read);
      left = [{ kind: 'join', operator, left, right }];
    }
    this.#values = after;
    this.#steps.push(...left);
  }

  #pipeline(commands: readonly CommandNode[]): void {
    const [only] = commands;
    if (commands.length === 1 && only !== undefined) return this.#node(only);
    let before: Step[] | undefined;
    for (const command of commands) {
      const steps = this.#collect(() => this.#node(command));
      this.#steps.push({ kind: 'isolated', steps: before === undefined ? steps : pipeInto(steps, before) });
      before = steps;
    }
  }

  #command(node: Command): void {
    const words: ShellWord[] = node.name === undefined ? [] : readWords(node.name, this);
    const assignments: string[] = [];
    const redirections: Redirection[] = [];
    for (const part of node.prefix) {
      if (part.type === 'Assignment') assignments.push(this.#assignment(part));
      else redirections.push(part);
    }
    let end = node.name?.end;
    for (const part of node.suffix) {
      const last = words.at(-1);
      if (part.type === 'Word') {
        const [first, ...rest] = readWords(part, this);
        // The parser ends a word before `<(`; bash does not.
        if (first !== undefined && last !== undefined && part.pos === end)
          words.splice(
            -1,
            1,
            { text: last.text + first.text, span: { from: last.span.from, to: first.span.to } },
            ...rest,
          );
        else if (first !== undefined) words.push(first, ...rest);
        end = part.end;
      } else if (part.type === 'Assignment') words.push({ text: this.#assignment(part), span: this.place(part) });
      else redirections.push(part);
    }
    if (this.#settled.size > 0) this.#keep(node, { words, assignments });
    addTraits(this.#traits, traitsOfCommand(words));
    if (words.some(({ text }) => COMMAND_TABLE.test(text))) this.unreadable('it gives a command another meaning');
    this.#steps.push({
      kind: 'command',
      command: { words, assignments, ...this.#redirects(redirections), span: this.place(node) },
    });
  }

  /** What variables hold from there on. */
  #keep(node: Command, { words, assignments }: Pick<SimpleCommand, 'words' | 'assignments'>): void {
    const exports = node.name !== undefined && /^(?:export|readonly)$/.test(node.name.text);
    if (node.name !== undefined && !exports) return;
    const texts = exports ? words.map(({ text }) => text) : assignments;
    for (const part of exports ? node.suffix : node.prefix) {
      if (part.type !== 'Assignment' || part.value?.type !== 'Word' || !this.#settled.has(part.name)) continue;
      // `x+=y` and `x[0]=y` do not begin so.
      const value = texts.find((text) => text.startsWith(`${part.name}=`))?.slice(part.name.length + 1) ?? '';
      if (value !== '' && isKnown(value.replaceAll(NAME, ''))) this.#values.set(part.name, value);
    }
  }

  #assignment(node: Assignment): string {
    addTraits(this.#traits, traitsOfVariable(node.name));
    if (COMMAND_TABLE.test(`${node.name}=`)) this.unreadable('it gives a command another meaning');
    if (node.index !== undefined) {
      this.evaluates();
      findScripts(node.index, this);
    }
    const { value } = node;
    const name = `${node.name}${node.index === undefined ? '' : '[]'}${node.append === true ? '+' : ''}`;
    if (value === undefined) return `${name}=`;
    if (value.type === 'Word') return `${name}=${readText(value, this)}`;
    for (const element of value.elements) {
      // `([x]=1)` evaluates its subscripts; the word holds them.
      if (element.text.startsWith('[')) this.evaluates();
      findScripts(element, this);
    }
    return `${name}=${HOLE}`;
  }

  /** The redirects of a group or loop. */
  #group(redirections: readonly Redirection[], span: Span): void {
    const { redirects } = this.#redirects(redirections);
    if (redirects.length > 0)
      this.#steps.push({ kind: 'command', command: { words: [], assignments: [], redirects, span } });
  }

  #redirects(redirections: readonly Redirection[]): Pick<SimpleCommand, 'redirects' | 'stdin'> {
    const redirects: ShellRedirect[] = [];
    let stdin: string | undefined;
    for (const redirection of redirections) {
      const { descriptor } = redirection;
      if (descriptor?.type === 'FileDescriptorVariable') this.sets(descriptor.name, descriptor);
      if (redirection.type === 'HereDoc') {
        const { body, delimiter } = redirection;
        const literal = body.parts === undefined || delimiter?.quoted === true;
        this.literal(body.text);
        stdin = literal ? body.text : readBody(body.parts ?? [], this);
      } else if (redirection.target === undefined) this.unreadable('a redirect has no target');
      else {
        const words = readWords(redirection.target, this);
        // Braces in a target are an error of bash or several words: whichever, it is not known.
        const target = words.length === 1 ? (words[0]?.text ?? HOLE) : HOLE;
        if (redirection.type === 'HereString') stdin = target;
        else redirects.push(...toRedirects(redirection.operator, target));
      }
    }
    return stdin === undefined ? { redirects } : { redirects, stdin };
  }
}

/** To bash `time` is a word of its grammar, to other shells a program that has options. */
function asProgram(step: Step): Step {
  if (step.kind !== 'command') return step;
  const [first] = step.command.words;
  if (first?.text.startsWith('-') !== true) return step;
  return { ...step, command: { ...step.command, words: [{ ...first, text: 'time' }, ...step.command.words] } };
}

function toRedirects(operator: string, target: string): ShellRedirect[] {
  // `2>&1` and `3<&-` name descriptors.
  if ((operator === '>&' || operator === '<&') && /^(?:\d+-?|-)$/.test(target)) return [];
  if (operator === '<' || operator === '<&') return [{ kind: 'read', target }];
  if (operator === '<>')
    return [
      { kind: 'read', target },
      { kind: 'write', target },
    ];
  return [{ kind: 'write', target }];
}
