/** Paths or matching lines that one search returns at most. */
export const MAX_RESULTS = 200;

/** Files and directories looked at before a search stops. */
export const MAX_WALKED = 20_000;

/** Characters of one matching or context line; longer ones are cut. */
export const MAX_LINE_CHARACTERS = 500;

/** Characters of all lines that one `grep` returns at most. */
export const MAX_GREP_CHARACTERS = 50_000;
