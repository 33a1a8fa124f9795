/** A word of a shell command line that means exactly this text; plain words stay as they are, so that people can read them. */
export function quoteWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
