import { type ErrorCode, SandboxError } from './errors.js';

/** The error that a guest's message tells. */
export function guestError({ code, message, path }: { code: ErrorCode; message: string; path?: string | undefined }) {
  return new SandboxError(code, message, path === undefined ? {} : { path });
}
