/** Words as one shell command line that gives them back untouched. */
export function quoteAll(words: readonly string[]): string {
  return words.map(quote).join(' ');
}

function quote(word: string): string {
  return /^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
