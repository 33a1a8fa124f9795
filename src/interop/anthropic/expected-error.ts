/** A failure that Anthropic's own tools have a text for: models know it, so it is the answer as it is. */
export class ExpectedError extends Error {
  static {
    ExpectedError.prototype.name = 'ExpectedError';
  }
}
