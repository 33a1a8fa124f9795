import type { ToolHost, ToolOutcome } from '../../host/types.js';
import { EXIT, exitCodeOf } from '../exit-code.js';
import { noteColor } from '../terminal/color.js';
import { escapeTerminal } from '../terminal/escape.js';
import { outcomeText } from '../terminal/outcome-text.js';
import { printNote } from '../terminal/print.js';

const CD = /^\s*cd(?:\s+(?<target>[^;&|<>`$()]+?))?\s*$/;
const EXIT_LINE = /^\s*exit(?:\s+(?<code>\d{1,3}))?\s*$/;

/** What the prompt's parts have to know of each other. */
export interface PromptState {
  /** Ends the running command and not the prompt; `undefined` while none runs. */
  running: AbortController | undefined;
  /** The running command is the prompt's own, and its output nobody's business. */
  quiet: boolean;
}

/** Runs the lines of one prompt through the host and remembers what a prompt has to remember: directory and exit code. */
export class ShellRunner {
  cwd = '/workspace';
  exitCode: number = EXIT.ok;
  readonly #host: ToolHost;
  readonly #signal: AbortSignal;
  readonly #state: PromptState;

  constructor(host: ToolHost, options: { signal: AbortSignal; state: PromptState }) {
    this.#host = host;
    this.#signal = options.signal;
    this.#state = options.state;
  }

  /** @returns whether the prompt is to end */
  async runLine(line: string): Promise<boolean> {
    if (line.trim() === '') return false;
    const exit = EXIT_LINE.exec(line);
    if (exit) {
      if (exit.groups?.code !== undefined) this.exitCode = Number(exit.groups.code) & 0xff;
      return true;
    }
    const cd = CD.exec(line);
    // Every command starts clean, so `cd` is the prompt's own: it asks the sandbox where that would lead.
    this.#state.quiet = cd !== null;
    const outcome = await this.#call(cd ? `cd ${cd.groups?.target ?? '/workspace'} && pwd` : line);
    if (cd) this.#follow(outcome);
    this.exitCode = this.#report(outcome);
    return this.#signal.aborted;
  }

  async #call(command: string): Promise<ToolOutcome> {
    const controller = new AbortController();
    this.#state.running = controller;
    try {
      const signal = AbortSignal.any([controller.signal, this.#signal]);
      return await this.#host.call({ toolName: 'shell', args: { command, cwd: this.cwd } }, { signal });
    } finally {
      this.#state.running = undefined;
    }
  }

  #follow(outcome: ToolOutcome): void {
    if (outcome.status !== 'ok') return;
    const { stdout, exitCode } = outcome.output as { stdout: string; exitCode: number | null };
    if (exitCode !== 0) return;
    const target = stdout.trimEnd() || this.cwd;
    if (target === '/workspace' || target.startsWith('/workspace/')) this.cwd = target;
    else printNote(noteColor.red(escapeTerminal(`Cannot stay in '${target}': commands start in /workspace`)));
  }

  #report(outcome: ToolOutcome): number {
    if (outcome.status !== 'ok') {
      if (outcome.status === 'error' && outcome.error.code === 'aborted') {
        printNote('');
        return EXIT.interrupted;
      }
      printNote(outcomeText(outcome, { raw: false }).note);
      return exitCodeOf(outcome);
    }
    const { exitCode, cause } = outcome.output as { exitCode: number | null; cause?: string };
    if (cause !== undefined && exitCode === null) printNote(noteColor.red(`ended by ${cause}`));
    return exitCode ?? codeOfCause(cause);
  }
}

/** What a shell would answer for a command that did not end by itself. */
function codeOfCause(cause: string | undefined): number {
  if (cause === 'timeout') return 124;
  if (cause === 'aborted') return EXIT.interrupted;
  return 137;
}
