import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SOURCES = fileURLToPath(new URL('../../../src/interop/', import.meta.url));

it('the OpenAI and Anthropic integrations import no SDK, not even for types', () => {
  const files = globSync('{openai,anthropic,provider}/**/*.ts', { cwd: SOURCES });
  expect(files.length).toBeGreaterThan(20);
  for (const file of files) {
    const imported = [...readFileSync(join(SOURCES, file), 'utf8').matchAll(/(?:from|import\()\s*'([^']+)'/g)];
    const packages = imported.map(([, name = '']) => name).filter((name) => !/^(?:\.|node:|caisson)/.test(name));
    expect(packages, file).toEqual([]);
  }
});
