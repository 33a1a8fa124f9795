import { CarriedToolError } from '../../tool/carried-error.js';
import type { ToolErrorResult } from '../../tool/result.js';

/**
 * What an exported tool throws. The AI SDK 7 shows a model `String(error)`, version 6 `error.message`: both are the
 * JSON of the host's error, and `toolError` is the object.
 */
export class HostToolError extends CarriedToolError {
  static {
    HostToolError.prototype.name = 'HostToolError';
  }

  constructor(toolError: ToolErrorResult) {
    super(toolError);
    this.message = JSON.stringify(toolError);
  }

  override toString(): string {
    return this.message;
  }
}
