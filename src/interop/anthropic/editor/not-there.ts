import type { ToolErrorResult } from '../../../tool/result.js';
import { CallFailed } from '../../provider/call-failed.js';
import { ExpectedError } from '../expected-error.js';

/** The error of a file call, in the words of Anthropic's own editor where it has some. */
export function fileError(error: ToolErrorResult, path: string): Error {
  if (error.code === 'not_found')
    return new ExpectedError(`The path ${path} does not exist. Please provide a valid path.`);
  return new CallFailed(error);
}

/** Runs a file call that throws `CallFailed`. */
export async function withFileErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof CallFailed ? fileError(error.result, path) : error;
  }
}
