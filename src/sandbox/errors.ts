import { type ErrorCode, isRetryable } from '../../sandbox/protocol/error-code.js';

export type { ErrorCode } from '../../sandbox/protocol/error-code.js';
export { ERROR_CODES, isErrorCode, isRetryable } from '../../sandbox/protocol/error-code.js';

const BRAND = Symbol.for('caisson.SandboxError');

/**
 * What a sandbox rejects with. `message` is written for a model to read: it names what was wrong and what to do,
 * and never holds a host path or a stack.
 */
export class SandboxError extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  /** The path as the sandbox sees it (`/workspace/…`), for file errors. */
  readonly path?: string;
  readonly [BRAND] = true;

  static {
    SandboxError.prototype.name = 'SandboxError';
  }

  constructor(code: ErrorCode, message: string, options: { path?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = isRetryable(code);
    if (options.path !== undefined) this.path = options.path;
  }
}

/** Recognises a `SandboxError` by brand, so that two copies of the package agree. */
export function isSandboxError(value: unknown): value is SandboxError {
  return typeof value === 'object' && value !== null && BRAND in value;
}

/** A `requiresSandbox` tool has no `sandboxExecute`, so there is nothing that may run. */
export class SandboxRequiredError extends SandboxError {
  static {
    SandboxRequiredError.prototype.name = 'SandboxRequiredError';
  }
  constructor(message: string) {
    super('sandbox_required', message);
  }
}

/** The host was made without a sandbox. */
export class SandboxNotConfiguredError extends SandboxError {
  static {
    SandboxNotConfiguredError.prototype.name = 'SandboxNotConfiguredError';
  }
  constructor(message: string) {
    super('sandbox_not_configured', message);
  }
}

/** The sandbox could not be started or reached; nothing ran. */
export class SandboxUnavailableError extends SandboxError {
  static {
    SandboxUnavailableError.prototype.name = 'SandboxUnavailableError';
  }
  constructor(
    message: string,
    options: {
      code?: Extract<
        ErrorCode,
        'sandbox_unavailable' | 'sandbox_start_failed' | 'engine_unreachable' | 'image_missing' | 'unsupported'
      >;
      path?: string;
      cause?: unknown;
    } = {},
  ) {
    super(options.code ?? 'sandbox_unavailable', message, options);
  }
}

/** The sandbox died, was disposed or expired while the call was on its way; the output so far comes with it, where there is any. */
export class SandboxCrashedError extends SandboxError {
  readonly stdout?: string;
  readonly stderr?: string;
  static {
    SandboxCrashedError.prototype.name = 'SandboxCrashedError';
  }
  constructor(
    message: string,
    code: Extract<
      ErrorCode,
      'sandbox_crashed' | 'sandbox_disposed' | 'sandbox_expired' | 'mask_lost'
    > = 'sandbox_crashed',
    partial?: { stdout: string; stderr: string },
  ) {
    super(code, message);
    if (partial === undefined) return;
    this.stdout = partial.stdout;
    this.stderr = partial.stderr;
  }
}

/** `run()` (Lousho's form) rejects with this when its time is up; the output so far comes with it. */
export class SandboxTimeoutError extends SandboxError {
  readonly stdout: string;
  readonly stderr: string;
  static {
    SandboxTimeoutError.prototype.name = 'SandboxTimeoutError';
  }
  constructor(message: string, partial: { stdout: string; stderr: string }) {
    super('timeout', message);
    this.stdout = partial.stdout;
    this.stderr = partial.stderr;
  }
}

/** `run()` rejects with this when its signal aborts; named as the web platform names it. */
export class SandboxAbortError extends SandboxError {
  readonly stdout: string;
  readonly stderr: string;
  static {
    SandboxAbortError.prototype.name = 'AbortError';
  }
  constructor(message: string, partial: { stdout: string; stderr: string }) {
    super('aborted', message);
    this.stdout = partial.stdout;
    this.stderr = partial.stderr;
  }
}
