import type { WalkNotes } from '../../sandbox/contract.js';
import { MAX_RESULTS, MAX_WALKED } from './limits.js';

/** What a search left out, in sentences a model can act on; empty when it left nothing out. */
export function walkNotes(notes: WalkNotes): string[] {
  const sentences: string[] = [];
  if (notes.ignoredDirectories > 0) {
    sentences.push(
      `Skipped ${count(notes.ignoredDirectories, 'ignored directory', 'ignored directories')} (.git, node_modules); set include_ignored to search them`,
    );
  }
  if (notes.unreadable > 0) sentences.push(`Skipped ${count(notes.unreadable, 'path')} that may not be read`);
  if (notes.walkLimited) {
    sentences.push(
      `Stopped after ${MAX_WALKED} files and directories, so results may be missing; set path to a smaller directory`,
    );
  }
  if (notes.resultsLimited) sentences.push(`Stopped at ${MAX_RESULTS} results, more exist; narrow the search`);
  return sentences;
}

export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}
