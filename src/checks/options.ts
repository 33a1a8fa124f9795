import { type Kind, object } from './kinds.js';
import { nearestOf } from './nearest.js';
import { show } from './show.js';

/** The options of one function, in the order in which an error lists them. */
export type Shape = ReadonlyMap<string, Kind>;

/** `Names` is the options type: none of its options may be left out, and none made up. */
export function shapeOf<Options extends object>(kinds: { readonly [name in keyof Required<Options>]: Kind }): Shape {
  return new Map(Object.entries<Kind>(kinds));
}

/**
 * What is wrong with an options object, as it follows the name of the function; `undefined`: nothing. Options that are
 * `undefined` count as not given. One look-up an option: this stands on the way of every call.
 * @param inside where the object lies in the function's options, e.g. `limits.`
 */
export function optionsProblem(options: unknown, shape: Shape, inside = ''): string | undefined {
  if (options === undefined) return undefined;
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    return mustBe(inside === '' ? 'options' : `'${inside.slice(0, -1)}'`, object, options);
  }
  for (const name of Object.keys(options)) {
    const kind = shape.get(name);
    if (kind === undefined) return unknownName(name, [...shape.keys()], { inside });
    const value = (options as Record<string, unknown>)[name];
    if (value !== undefined && !kind.test(value)) return mustBe(`'${inside}${name}'`, kind, value);
  }
  return undefined;
}

/** @throws TypeError `createX: unknown option 'y'; …` */
export function checkOptions(where: string, options: unknown, shape: Shape, inside?: string): void {
  const problem = optionsProblem(options, shape, inside);
  if (problem !== undefined) throw new TypeError(`${where}: ${problem}`);
}

/** The same for each item of an option that is an array. */
export function checkItems(where: string, name: string, items: readonly unknown[] | undefined, kind: Kind): void {
  for (const [index, item] of items?.entries() ?? []) {
    if (!kind.test(item)) throw new TypeError(`${where}: ${mustBe(`'${name}[${index}]'`, kind, item)}`);
  }
}

export function mustBe(what: string, kind: Kind, given: unknown): string {
  return `${what} must be ${kind.words}, not ${show(given)}`;
}

export interface NameWords {
  /** What the names name. Default `option`. */
  what?: string | undefined;
  /** Where the object lies that has these names, e.g. `limits.`. */
  inside?: string | undefined;
  /** What others call them. */
  synonyms?: Readonly<Record<string, string>> | undefined;
}

/** What to say of a name that does not exist: the one that was meant, where that can be guessed, and all there are. */
export function unknownName(
  name: string,
  known: readonly string[],
  { what = 'option', inside = '', synonyms = {} }: NameWords = {},
): string {
  const nearest = Object.hasOwn(synonyms, name) ? synonyms[name] : nearestOf(name, known);
  const hint = nearest === undefined ? '.' : `; did you mean '${inside}${nearest}'?`;
  return `unknown ${what} ${show(inside + name)}${hint} Known ${what}s: ${known.map((one) => inside + one).join(', ')}`;
}
