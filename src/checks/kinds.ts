/** What a value must be: a test, and the words for it as they follow "must be". */
export interface Kind {
  test(value: unknown): boolean;
  readonly words: string;
}

export const anything: Kind = { test: () => true, words: 'anything' };

export const flag: Kind = { test: (value) => typeof value === 'boolean', words: 'true or false' };

export const text: Kind = { test: (value) => typeof value === 'string', words: 'a string' };

export const filledText: Kind = {
  test: (value) => typeof value === 'string' && value !== '',
  words: 'a non-empty string',
};

export const func: Kind = { test: (value) => typeof value === 'function', words: 'a function' };

export const object: Kind = {
  test: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  words: 'an object',
};

export const texts: Kind = {
  test: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  words: 'an array of strings',
};

export const bytes: Kind = {
  test: (value) => typeof value === 'string' || value instanceof Uint8Array,
  words: 'a string or a Uint8Array',
};

/** By shape: an `AbortSignal` of another realm or of a polyfill is one too. */
export const signal: Kind = {
  test: (value) =>
    typeof value === 'object' &&
    value !== null &&
    'aborted' in value &&
    typeof (value as Partial<AbortSignal>).addEventListener === 'function',
  words: 'an AbortSignal',
};

export function whole(least: number, most = Number.MAX_SAFE_INTEGER): Kind {
  return {
    test: (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
    words: `a whole number ${most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`}`,
  };
}

/** A finite number above 0. */
export function positive(most = Number.POSITIVE_INFINITY): Kind {
  return {
    test: (value) => Number.isFinite(value) && (value as number) > 0 && (value as number) <= most,
    words: `a number above 0${most === Number.POSITIVE_INFINITY ? '' : ` and at most ${most}`}`,
  };
}

export function oneOf(values: readonly string[]): Kind {
  const words = values.length === 1 ? `'${values[0]}'` : `one of ${values.join(', ')}`;
  return { test: (value) => (values as readonly unknown[]).includes(value), words };
}

export function either(first: Kind, second: Kind): Kind {
  return {
    test: (value) => first.test(value) || second.test(value),
    words: `${first.words} or ${second.words}`,
  };
}
