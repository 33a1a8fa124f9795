import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export interface Page {
  /** Relative to the repository. */
  path: string;
  text: string;
}

/** Every page a reader may open. */
export function pages(): Page[] {
  const paths = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md'], { cwd: ROOT }).sort();
  return paths.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

export interface Snippet {
  language: 'ts' | 'sh';
  code: string;
  /** `docs/cli.md:12`, where the fence opens. */
  where: string;
}

/** The fenced blocks that promise to run. */
export function snippetsOf({ path, text }: Page): Snippet[] {
  return [...text.matchAll(/^```(ts|sh)\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1] as Snippet['language'],
    code: match[2] ?? '',
    where: `${path}:${text.slice(0, match.index).split('\n').length}`,
  }));
}
