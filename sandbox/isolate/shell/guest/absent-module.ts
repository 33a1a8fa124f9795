/** Stands for `turndown` in the interpreter's bundle, for a command that is not offered (see `commands/overrides.ts`). */
export default class Absent {}
