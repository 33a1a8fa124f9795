import type { EnforcementPlan } from './plan.js';

/**
 * File work in a container that runs no program of ours: a helper process on the host decides, and a shell in the
 * container, under the commands' user, does the single steps. They are connected by the helper's descriptors below.
 *
 * A step is one line: `<letter> =<argument>…`, each argument with every byte but `[A-Za-z0-9._/-]` as `\0ooo`, so that no
 * name is ever part of a script. The answer is bytes, then a line of the session's own: `\n<token> <status>\n`.
 */
export const TO_SHELL_FD = 3;
export const FROM_SHELL_FD = 4;

/** First message to the helper. */
export interface ExecFilesInit {
  type: 'init';
  token: string;
  plan: EnforcementPlan;
  startedEmpty: boolean;
  /** Writable for the helper alone: contents on their way. */
  scratchDirectory: string;
}

/** What the shell's `stat` is asked to print. */
export const STAT_FORMAT = '%f %s %i %d %h %u %g %Y %Z %y %z';
