import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../../src/cli/exit-code.js';
import { ERROR_CODES } from '../../../src/sandbox/errors.js';
import { ABSENT_PROGRAMS } from '../../../src/sandbox/isolate/absent-commands.js';
import { pages, ROOT } from './pages.js';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('docs/errors.md', () => {
  const rows = [...read('docs/errors.md').matchAll(/^\| `([a-z_]+)` \| (yes|no) \|/gm)];

  it('has a line for every code, in the order of the code, with the right retryable', () => {
    const documented = rows.map(([, code, retryable]) => [code, retryable === 'yes']);
    expect(documented).toEqual(Object.entries(ERROR_CODES).map(([code, { retryable }]) => [code, retryable]));
  });
});

describe('docs/cli.md', () => {
  it('has a line for every exit code', () => {
    for (const code of Object.values(EXIT)) expect(read('docs/cli.md')).toMatch(new RegExp(`^\\| ${code} \\|`, 'm'));
  });
});

describe('docs/dependencies.md', () => {
  it('argues every dependency', () => {
    const manifest = JSON.parse(read('package.json'));
    const page = read('docs/dependencies.md');
    const names = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)];
    const missing = names.filter((name) => !name.startsWith('@types/') && !page.includes(`\`${name}\``));
    expect(missing).toEqual([]);
  });
});

describe('README.md', () => {
  it('opens with the two commands, as they are', () => {
    expect(read('README.md')).toMatch(/^npm ci && npm run demo$/m);
    expect(read('README.md')).toMatch(/^npm ci && npm test$/m);
  });

  it('embeds in at most 20 lines', () => {
    const example = /```ts\n([\s\S]*?)```/.exec(read('README.md'))?.[1] ?? '';
    expect(example.trimEnd().split('\n').length).toBeLessThanOrEqual(20);
  });

  it('says what the shell lacks', () => {
    expect(read('README.md')).toContain('git node npm python tar curl make');
    for (const name of ['git', 'node', 'npm', 'python', 'tar', 'curl', 'make']) expect(ABSENT_PROGRAMS).toContain(name);
  });
});

describe('every page', () => {
  it.each(pages().map((page) => [page.path, page] as const))('%s links only to what is there', (_, page) => {
    const targets = [...page.text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map((match) => match[1] ?? '');
    const broken = targets.filter((target) => !existsSync(join(ROOT, dirname(page.path), target)));
    expect(broken).toEqual([]);
  });
});
