/** Lines that one `read_file` returns at most. */
export const MAX_READ_LINES = 2_000;

/** Characters that one `read_file` returns at most. */
export const MAX_READ_CHARACTERS = 50_000;

/** Bytes of a file that `read_file` and `edit_file` open at most. */
export const MAX_TEXT_FILE_BYTES = 10 * 1024 * 1024;

/** Entries that one `list_dir` returns at most. */
export const MAX_LISTED_ENTRIES = 200;
