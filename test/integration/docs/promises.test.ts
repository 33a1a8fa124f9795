import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './pages.js';

const text = readFileSync(join(ROOT, 'PROMISES.md'), 'utf8');
const promises = [...text.matchAll(/^(\d+)\. ([\s\S]*?)(?=^\d+\. |^## |(?![\s\S]))/gm)].map((match) => ({
  number: Number(match[1]),
  tests: [...(match[2] ?? '').matchAll(/`(test\/[^`]+)`/g)].map((found) => found[1] ?? ''),
}));

describe('PROMISES.md', () => {
  it('numbers its promises from 1 without a gap', () => {
    expect(promises.length).toBeGreaterThan(10);
    expect(promises.map(({ number }) => number)).toEqual(promises.map((_, index) => index + 1));
  });

  it.each(promises.map((promise) => [promise.number, promise.tests] as const))(
    'promise %i names tests that exist',
    (_, tests) => {
      expect(tests).not.toEqual([]);
      expect(tests.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    },
  );
});
