import { HOLE } from '../../text/marks.js';

/** The name of a program without the directory it was called by. What is not known may hold the directory's end. */
export function programName(word: string): string {
  const name = word.slice(word.lastIndexOf('/') + 1);
  return name.slice(Math.max(0, name.lastIndexOf(HOLE)));
}
