/** The command line asks for something that cannot be: printed as it is, exit code 2. */
export class UsageError extends Error {
  static {
    UsageError.prototype.name = 'UsageError';
  }
}
