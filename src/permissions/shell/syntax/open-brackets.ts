import { HOLE } from '../../text/marks.js';

/**
 * A glob in which each `[…]` stands for anything. What follows the last `]` is left as it is without looking: a search
 * from each `[` to an end that is not there would take the square of their number.
 */
export function openBrackets(glob: string): string {
  const end = glob.lastIndexOf(']') + 1;
  return end === 0 ? glob : glob.slice(0, end).replace(/\[[^\]]*\]/g, HOLE) + glob.slice(end);
}
