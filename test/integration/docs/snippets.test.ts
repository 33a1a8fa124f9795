import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pages, ROOT, type Snippet, snippetsOf } from './pages.js';

const run = promisify(execFile);
const snippets = pages().flatMap(snippetsOf);
let project: string;

/** A stranger's project: `caisson` and `zod` installed, a few files of its own. */
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'caisson-docs-test-'));
  await mkdir(join(project, 'node_modules/.bin'), { recursive: true });
  await symlink(ROOT, join(project, 'node_modules/caisson'));
  await symlink(join(ROOT, 'node_modules/zod'), join(project, 'node_modules/zod'));
  await symlink(join(ROOT, 'dist/cli.js'), join(project, 'node_modules/.bin/caisson'));
});

afterAll(() => rm(project, { recursive: true, force: true }));

describe('snippets of the documentation', () => {
  it('are found', () => {
    expect(snippets.length).toBeGreaterThan(10);
  });

  it.each(snippets.map((snippet) => [snippet.where, snippet] as const))(
    '%s runs',
    { timeout: 60_000 },
    async (_, snippet) => {
      const directory = await mkdtemp(join(project, 'snippet-'));
      await writeFile(join(directory, 'README.md'), '# A project\n');
      await writeFile(join(directory, '.env'), 'KEY=hunter2\n');
      const stdout =
        snippet.language === 'ts' ? await runTypescript(snippet, directory) : await runShell(snippet, directory);
      for (const line of promisedLines(snippet)) expect(stdout.split('\n')).toContain(line);
      expect(stdout).not.toContain('hunter2');
    },
  );
});

/** Whatever stands behind `console.log(…); //` is what must be printed. */
function promisedLines({ language, code }: Snippet): string[] {
  if (language !== 'ts') return [];
  return [...code.matchAll(/console\.log\(.*\); \/\/ (.+)$/gm)].map((match) => match[1] ?? '');
}

async function runTypescript({ code }: Snippet, directory: string): Promise<string> {
  await writeFile(join(directory, 'snippet.ts'), code);
  await writeFile(join(directory, 'package.json'), '{"type":"module"}');
  const args = ['--disable-warning=ExperimentalWarning', 'snippet.ts'];
  const { stdout } = await run(process.execPath, args, { cwd: directory, timeout: 50_000 });
  return stdout;
}

async function runShell({ code }: Snippet, directory: string): Promise<string> {
  const path = [join(project, 'node_modules/.bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(':');
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', code], {
    cwd: directory,
    timeout: 50_000,
    env: { ...process.env, PATH: path },
  });
  return stdout;
}
