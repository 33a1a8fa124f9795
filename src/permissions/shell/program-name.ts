/** The name of a program without the directory it was called by. */
export function programName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}
