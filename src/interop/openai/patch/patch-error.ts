/** A diff that cannot be applied; the message is written for the model that wrote it. */
export class PatchError extends Error {
  static {
    PatchError.prototype.name = 'PatchError';
  }
}
