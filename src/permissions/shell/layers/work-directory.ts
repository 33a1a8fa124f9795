import { HOLE } from '../../text/marks.js';
import { valueIn } from '../programs/program-options.js';
import type { ShellWord } from '../syntax/shell-syntax.js';

const MAKE = ['-C', '--directory'];
/** By program, the options that name the directory in which it runs what a project says. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  make: MAKE,
  gmake: MAKE,
  ninja: ['-C'],
  npm: ['-C', '--prefix'],
  pnpm: ['-C', '--dir'],
  yarn: ['--cwd'],
  bun: ['--cwd'],
  go: ['-C'],
  uv: ['--directory', '--project'],
  poetry: ['-C', '--directory', '-P', '--project'],
  composer: ['-d', '--working-dir'],
  gradle: ['-p', '--project-dir'],
  just: ['-d', '--working-directory'],
  task: ['-d', '--dir'],
};

/** The directory that a program is told to work in: it runs what it finds there. */
export function workDirectory(program: string, words: readonly ShellWord[]): string | undefined {
  const options = Object.hasOwn(OPTIONS, program) ? OPTIONS[program] : undefined;
  if (options === undefined) return undefined;
  const found: string[] = [];
  for (const [index, { text }] of words.entries()) {
    if (text === '--') break;
    const taken =
      text.startsWith('--') || options.some((one) => text.startsWith(one)) ? valueIn(text, options) : undefined;
    if (taken !== undefined) found.push(taken.value ?? words[index + 1]?.text ?? HOLE);
  }
  return found.length > 1 ? HOLE : found[0];
}
