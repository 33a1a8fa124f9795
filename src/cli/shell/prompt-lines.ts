import { createInterface } from 'node:readline/promises';
import { noteColor } from '../terminal/color.js';
import { escapeTerminal } from '../terminal/escape.js';
import { joinContinuations } from './continued-lines.js';
import type { PromptState } from './shell-runner.js';

export interface PromptOptions {
  signal: AbortSignal;
  cwd(): string;
  state: PromptState;
}

/** Lines typed at a terminal, with editing and history. Ctrl-C ends the running command or drops the line; Ctrl-D ends. */
export function promptLines(options: PromptOptions): AsyncGenerator<string> {
  return joinContinuations(readLines(options));
}

async function* readLines(options: PromptOptions): AsyncGenerator<string> {
  const history: string[] = [];
  while (!options.signal.aborted) {
    const line = await readLine(options, history);
    if (line === undefined) {
      process.stderr.write('\n');
      return;
    }
    yield line;
  }
}

/** One interface per line: between two lines the terminal belongs to the running command and to approval questions. */
async function readLine({ signal, cwd, state }: PromptOptions, history: string[]): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr, history, historySize: 500 });
  const dropped = new AbortController();
  terminal.on('SIGINT', () => (state.running ? state.running.abort() : dropped.abort()));
  const closed = new Promise<undefined>((resolve) => terminal.once('close', () => resolve(undefined)));
  terminal.on('history', (entries) => history.splice(0, history.length, ...entries));
  try {
    const question = terminal.question(prompt(cwd()), { signal: AbortSignal.any([signal, dropped.signal]) });
    return await Promise.race([question, closed]);
  } catch {
    process.stderr.write('^C\n');
    return signal.aborted ? undefined : '';
  } finally {
    terminal.close();
  }
}

function prompt(cwd: string): string {
  return `${noteColor.cyan('caisson')}:${noteColor.blue(escapeTerminal(cwd))}$ `;
}
