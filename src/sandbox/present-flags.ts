export type { FlagForm, FlagSpellings } from '../../sandbox/protocol/present-flags.js';
export { flagsIn, hasAllFlags, presentFlags } from '../../sandbox/protocol/present-flags.js';
