/** What the kernel counted for a container. */
export interface Counters {
  oomKills: number;
  pidsRefused: number;
}

/**
 * Which call an out-of-memory kill belongs to: the kernel counts them for the whole container. A call that was ended by
 * KILL takes one; of the others only a call that ran alone can be meant.
 */
export class CounterClaims {
  #claimed: Counters;

  /** @param now what is counted before any call */
  constructor(now: Counters) {
    this.#claimed = now;
  }

  /** @param alone no other command ran at the end of this one */
  claim(
    now: Counters,
    end: { killed: boolean; failed: boolean; alone: boolean },
  ): 'oom' | 'pids_exhausted' | undefined {
    if (now.oomKills > this.#claimed.oomKills && (end.killed || end.alone)) {
      this.#claimed.oomKills = end.alone ? now.oomKills : this.#claimed.oomKills + 1;
      return 'oom';
    }
    if (now.pidsRefused > this.#claimed.pidsRefused && (end.failed || end.alone)) {
      this.#claimed.pidsRefused = now.pidsRefused;
      return end.failed ? 'pids_exhausted' : undefined;
    }
    return undefined;
  }
}
