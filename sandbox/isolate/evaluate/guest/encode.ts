import { intrinsics } from './intrinsics.js';

const { apply, dateToJson, isArray, isDate, isFiniteNumber, keys, stringify } = intrinsics;

/** Why a value cannot cross as JSON. */
export interface Refusal {
  kind: 'result_invalid' | 'output_limit';
  reason: string;
}

export type Encoded = { text: string; refusal?: undefined } | { text?: undefined; refusal: Refusal };

interface Budget {
  characters: number;
  readonly depth: number;
  refusal: Refusal | undefined;
}

/**
 * Writes a value as JSON. Foreign getters, proxies and `toJSON` may run meanwhile; they can make it throw or take
 * long, not lie about what was written.
 */
export function encode(value: unknown, limits: { characters: number; depth: number }): Encoded {
  const budget: Budget = { characters: limits.characters, depth: limits.depth, refusal: undefined };
  const text = write(value, 0, budget);
  if (budget.refusal !== undefined) return { refusal: budget.refusal };
  return { text: text ?? 'null' };
}

/** @returns undefined for what JSON leaves out, and when the budget holds a refusal */
function write(value: unknown, depth: number, budget: Budget): string | undefined {
  if (budget.refusal !== undefined) return undefined;
  switch (typeof value) {
    case 'string':
      // Escapes make a text longer, never more than six times.
      if (value.length > budget.characters) return refuse(budget, 'output_limit', TOO_LARGE);
      return spend(budget, stringify(value));
    case 'number':
      return spend(budget, isFiniteNumber(value) ? stringify(value) : 'null');
    case 'boolean':
      return spend(budget, value ? 'true' : 'false');
    case 'undefined':
      return undefined;
    case 'object':
      return value === null ? spend(budget, 'null') : writeObject(value, depth, budget);
    case 'bigint':
      return refuse(budget, 'result_invalid', 'it holds a BigInt');
    default:
      return refuse(budget, 'result_invalid', `it holds a ${typeof value}`);
  }
}

function writeObject(value: object, depth: number, budget: Budget): string | undefined {
  if (depth >= budget.depth) {
    return refuse(budget, 'result_invalid', `it is nested more than ${budget.depth} levels deep or holds itself`);
  }
  if (isArray(value)) return writeArray(value as unknown[], depth, budget);
  const date = dateText(value);
  if (date !== undefined) return spend(budget, date);
  return writeEntries(value as Record<string, unknown>, depth, budget);
}

function writeArray(array: unknown[], depth: number, budget: Budget): string | undefined {
  const { length } = array;
  // Each element takes two characters at least.
  if (length * 2 > budget.characters) return refuse(budget, 'output_limit', TOO_LARGE);
  let text = '[';
  for (let index = 0; index < length; index += 1) {
    const element = write(array[index], depth + 1, budget) ?? 'null';
    if (budget.refusal !== undefined) return undefined;
    text += index === 0 ? element : `,${element}`;
  }
  return spend(budget, `${text}]`, 2 + length);
}

function writeEntries(object: Record<string, unknown>, depth: number, budget: Budget): string | undefined {
  const names = keys(object);
  let text = '{';
  let first = true;
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index] as string;
    const entry = write(object[name], depth + 1, budget);
    if (budget.refusal !== undefined) return undefined;
    if (entry === undefined) continue;
    const key = stringify(name);
    if (spend(budget, key, key.length + 2) === undefined) return undefined;
    text += first ? `${key}:${entry}` : `,${key}:${entry}`;
    first = false;
  }
  return spend(budget, `${text}}`, 2);
}

/** A `Date`, as JSON writes it; undefined for anything else. */
function dateText(value: object): string | undefined {
  try {
    apply(isDate, value, NOTHING);
  } catch {
    return undefined;
  }
  try {
    return stringify(apply(dateToJson, value, NOTHING));
  } catch {
    return 'null';
  }
}

const NOTHING: [] = [];
const TOO_LARGE = 'it is larger than 1 MiB';

function spend(budget: Budget, text: string, characters = text.length): string | undefined {
  budget.characters -= characters;
  return budget.characters < 0 ? refuse(budget, 'output_limit', TOO_LARGE) : text;
}

function refuse(budget: Budget, kind: Refusal['kind'], reason: string): undefined {
  budget.refusal ??= { kind, reason };
  return undefined;
}
