/** Whether a rule applies to a call: for deny and ask, `could be` counts. */
export type Match = 'yes' | 'could be' | 'no';
