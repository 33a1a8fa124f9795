import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Stage } from './stage.js';

export interface Finished {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Program {
  readonly pid: number;
  readonly finished: Promise<Finished>;
  /** Resolves with what was written so far once stdout holds `text`. */
  said(text: string): Promise<string>;
  /** Everything it wrote to stdout so far. */
  stdout(): string;
  /** Resolves when it writes to stdout again; rejects when it ended. */
  wrote(): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  write(text: string): void;
  endInput(): void;
  /** Stops reading what it writes to stdout, as a client does that hangs. */
  stopReading(): void;
  readOn(): void;
}

export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** Runs the built command line, `caisson …`. */
export function startCaisson(stage: Stage, ...args: string[]): Program {
  return startNode(stage, CLI, ...args);
}

export async function caisson(stage: Stage, ...args: string[]): Promise<Finished> {
  const program = startCaisson(stage, ...args);
  program.endInput();
  return await program.finished;
}

/** Runs a program of `fixtures/`; it imports the built package, as a user's would. */
export function startFixture(stage: Stage, name: string, ...args: string[]): Program {
  return startNode(stage, fileURLToPath(new URL(`fixtures/${name}`, import.meta.url)), ...args);
}

function startNode(stage: Stage, ...argv: string[]): Program {
  if (!existsSync(CLI)) throw new Error('The package is not built: run `npm run build`');
  const child = spawn(process.execPath, argv, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  if (child.pid === undefined) throw new Error('Node could not be started');
  const written = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
      for (const listener of listeners) listener();
    });
  }
  child.stdin.on('error', () => {});
  const finished = new Promise<Finished>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, ...written }));
  });
  stage.defer(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await finished;
  });
  return {
    pid: child.pid,
    finished,
    said: (text) => {
      const saying = new Promise<string>((resolve) => {
        const look = () => {
          if (!written.stdout.includes(text)) return;
          listeners.delete(look);
          resolve(written.stdout);
        };
        listeners.add(look);
        look();
      });
      const silence = finished.then(({ stdout, stderr }) => {
        if (stdout.includes(text)) return stdout;
        throw new Error(`It ended without saying '${text}': ${stdout}${stderr}`);
      });
      return Promise.race([saying, silence]);
    },
    stdout: () => written.stdout,
    wrote: () => {
      const writing = new Promise<void>((resolve) => {
        const look = () => {
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
      });
      const end = finished.then(({ code, stderr }) => {
        throw new Error(`It ended with ${code}: ${stderr}`);
      });
      return Promise.race([writing, end]);
    },
    kill: (signal) => void child.kill(signal),
    write: (text) => void child.stdin.write(text),
    endInput: () => child.stdin.end(),
    stopReading: () => void child.stdout.pause(),
    readOn: () => void child.stdout.resume(),
  };
}

/** Code points that would move the cursor, colour, hide or reorder what a terminal shows, as hexadecimal numbers. */
export function terminalHazards(text: string): string[] {
  const hazardous = (code: number) =>
    (code < 0x20 && code !== 0x0a && code !== 0x09) ||
    (code >= 0x7f && code < 0xa0) ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x2069);
  return Array.from(text, (character) => character.codePointAt(0) ?? 0)
    .filter(hazardous)
    .map((code) => code.toString(16));
}
