import { expect } from 'vitest';
import type { TestApi } from './suite/index.js';

export interface CollectedTest {
  title: string;
  body(): Promise<void>;
}

/** A test framework of one page: it collects checks instead of running them. Assertions are vitest's. */
export function createCollectingApi(): { api: TestApi; tests: CollectedTest[]; settled(): Promise<void> } {
  const tests: CollectedTest[] = [];
  const describing: Promise<void>[] = [];
  const api: TestApi = {
    describe: (_name, body) => {
      const work = body();
      if (work !== undefined) describing.push(work);
    },
    it: (title, body) => {
      tests.push({ title, body: () => body() });
    },
    expect: (value) => expect(value),
  };
  return {
    api,
    tests,
    settled: async () => {
      await Promise.all(describing);
    },
  };
}
