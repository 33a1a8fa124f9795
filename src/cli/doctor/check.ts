/** One thing `caisson doctor` looked at. */
export interface Check {
  name: string;
  status: 'ok' | 'note' | 'problem';
  /** What was found. */
  detail: string;
  /** What to do about it. */
  fix?: string;
}

/** Whether one backend works on this machine. */
export interface BackendReport {
  name: string;
  works: boolean;
  detail: string;
  fix?: string;
}
