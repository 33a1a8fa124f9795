/** Limits a caller may ask a sandbox to hold. One that a backend cannot enforce is refused with `unsupported`. */
export interface SandboxLimits {
  /** Wall-clock milliseconds of one command or evaluation. */
  timeoutMs?: number;
  /** Resident memory of everything that runs in the sandbox, bytes. */
  memoryBytes?: number;
  /** Processes and threads at once. */
  maxProcesses?: number;
  /** Bytes that `overlay` and `memory` workspaces, `/tmp` and the home directory may hold together. */
  maxDiskBytes?: number;
  /** Files and directories that they may hold together. */
  maxDiskEntries?: number;
  /** Bytes kept of each output stream; the middle is dropped first. */
  maxOutputBytes?: number;
}

const MiB = 1024 * 1024;

/** The defaults of every backend, in one place; `caisson doctor` prints them. */
export const DEFAULT_LIMITS = {
  timeoutMs: 120_000,
  memoryBytes: 2048 * MiB,
  maxProcesses: 512,
  maxDiskBytes: 512 * MiB,
  maxDiskEntries: 200_000,
  maxOutputBytes: 1 * MiB,
} as const satisfies Required<SandboxLimits>;

/** The longest timeout a single command may ask for, milliseconds. */
export const MAX_TIMEOUT_MS = 600_000;

/** A search that has found nothing by then is told to ask for less, milliseconds. */
export const SEARCH_TIMEOUT_MS = 20_000;

/** Characters of each stream that a tool hands to the model. */
export const MODEL_OUTPUT_CHARACTERS = 30_000;

/** Between the polite end of a call and the kill, milliseconds. */
export const KILL_GRACE_MS = 300;

/** A session nobody uses ends after this, milliseconds. */
export const IDLE_LIFE_MS = 60 * 60 * 1000;

/** A session ends after this whatever happens, milliseconds. */
export const HARD_LIFE_MS = 24 * 60 * 60 * 1000;
/** What a `setup` may take when it does not say. */
export const SETUP_TIMEOUT_MS = 600_000;
