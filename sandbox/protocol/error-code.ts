/**
 * Every machine-readable reason a call can fail, and whether the same call may succeed when it is tried again
 * without being changed. Both sides of the sandbox border speak these codes; `docs/errors.md` has a line for each.
 */
export const ERROR_CODES = {
  // before anything ran
  permission_denied: { retryable: false },
  permission_ask_timeout: { retryable: true },
  invalid_input: { retryable: false },
  unknown_tool: { retryable: false },
  unsupported: { retryable: false },
  // files
  path_escape: { retryable: false },
  not_found: { retryable: false },
  is_directory: { retryable: false },
  not_directory: { retryable: false },
  not_empty: { retryable: false },
  exists: { retryable: false },
  not_regular_file: { retryable: false },
  access_denied: { retryable: false },
  read_only: { retryable: false },
  no_space: { retryable: false },
  quota_exceeded: { retryable: false },
  file_too_large: { retryable: false },
  encoding: { retryable: false },
  edit_not_found: { retryable: false },
  edit_not_unique: { retryable: false },
  edit_noop: { retryable: false },
  stale_file: { retryable: true },
  bad_pattern: { retryable: false },
  // commands and code
  command_not_found: { retryable: false },
  not_executable: { retryable: false },
  command_too_long: { retryable: false },
  invalid_cwd: { retryable: false },
  timeout: { retryable: true },
  aborted: { retryable: true },
  oom: { retryable: false },
  pids_exhausted: { retryable: true },
  output_limit: { retryable: false },
  killed: { retryable: true },
  network_denied: { retryable: false },
  result_invalid: { retryable: false },
  process_not_found: { retryable: false },
  session_limit: { retryable: true },
  // the sandbox itself
  sandbox_required: { retryable: false },
  sandbox_not_configured: { retryable: false },
  sandbox_unavailable: { retryable: true },
  sandbox_start_failed: { retryable: true },
  sandbox_crashed: { retryable: true },
  sandbox_disposed: { retryable: false },
  sandbox_expired: { retryable: false },
  engine_unreachable: { retryable: true },
  image_missing: { retryable: false },
  mask_lost: { retryable: true },
  adapter_bug: { retryable: false },
} as const satisfies Record<string, { retryable: boolean }>;

export type ErrorCode = keyof typeof ERROR_CODES;

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERROR_CODES, value);
}

export function isRetryable(code: ErrorCode): boolean {
  return ERROR_CODES[code].retryable;
}
