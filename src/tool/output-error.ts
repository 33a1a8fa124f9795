/** A tool returned something that is not JSON and cannot be made so. */
export class ToolOutputSerializationError extends Error {
  static {
    ToolOutputSerializationError.prototype.name = 'ToolOutputSerializationError';
  }

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
  }
}
