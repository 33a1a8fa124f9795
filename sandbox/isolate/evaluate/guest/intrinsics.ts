/**
 * The language's own functions, taken before any foreign code runs: that code can replace what the globals and
 * prototypes say, and must not be able to forge a result or see a call of ours by it. Everything in this folder uses
 * only these, and no syntax that looks anything up (no spread, no for-of, no destructuring of foreign arrays).
 */
const { apply, ownKeys, getPrototypeOf, deleteProperty, defineProperty } = Reflect;

export const intrinsics = {
  apply,
  ownKeys,
  getPrototypeOf,
  deleteProperty,
  defineProperty,
  create: Object.create,
  keys: Object.keys,
  freeze: Object.freeze,
  isArray: Array.isArray,
  isFiniteNumber: Number.isFinite,
  stringify: JSON.stringify,
  parse: JSON.parse,
  String,
  Promise,
  TypeError,
  Error,
  Date,
  promiseThen: Promise.prototype.then,
  slice: String.prototype.slice,
  dateToJson: Date.prototype.toJSON,
  isDate: Date.prototype.getTime,
  AsyncFunction: Object.getPrototypeOf(async () => undefined).constructor as new (
    ...texts: string[]
  ) => () => Promise<unknown>,
  WeakSet,
  hasWeak: WeakSet.prototype.has,
  addWeak: WeakSet.prototype.add,
};

export type Dictionary<T> = Record<string, T>;

/** An object that inherits nothing, so that nobody can have put anything into what it inherits. */
export function bare<T>(): Dictionary<T> {
  return intrinsics.create(null) as Dictionary<T>;
}
