import type { ToolErrorResult } from '../../tool/result.js';

/** A call of the host's tools, made on behalf of a coding call, failed: its error is the answer. */
export class CallFailed extends Error {
  readonly result: ToolErrorResult;

  constructor(result: ToolErrorResult) {
    super(result.message);
    this.result = result;
  }
}
