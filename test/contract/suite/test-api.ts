/**
 * The part of a test framework the suite uses. Vitest's own `{ describe, it, expect }` fits, and so does a thin shim
 * over `node:test`: only these matchers are called.
 */
export interface TestApi {
  /** The body may be asynchronous: a backend that does not declare its capabilities is probed first. */
  describe(name: string, body: () => void | Promise<void>): unknown;
  /** `timeoutMs` is how long a check may take. */
  it(name: string, body: (context?: unknown) => Promise<void>, timeoutMs?: number): unknown;
  expect(value: unknown): Expectation;
  /** Where there is one, what the suite opened is closed in it; else in a last check. */
  afterAll?(body: () => Promise<void>): unknown;
}

export interface Expectation {
  toBe(expected: unknown): unknown;
  toEqual(expected: unknown): unknown;
  /** A part of a string or an item of an array. */
  toContain(expected: unknown): unknown;
  toMatch(expected: RegExp): unknown;
  toBeGreaterThan(expected: number): unknown;
  toBeLessThan(expected: number): unknown;
  readonly not: Expectation;
}
