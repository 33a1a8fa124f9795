/**
 * Writes THIRD_PARTY_NOTICES from what the build put into dist/; with --check it only says whether the file is current.
 *
 * The bundler marks each module it takes in with `//#region node_modules/<package>/…`; where a script is minified those
 * marks are gone, so what the guest side imports is read from its sources too. just-bash arrives as a bundle of its own:
 * all of its declared dependencies are named with it.
 */
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FILE = join(ROOT, 'THIRD_PARTY_NOTICES');
const IMPORT = /^import (?!type )[^'"]*?['"]((?:@[^/'"]+\/)?[^./'"][^/'"]*)/gm;
const REGION = /^\s*\/\/#region (?:.*\/)?node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm;

/** Dependencies of just-bash that its browser build leaves out: they need Node, or are loaded on demand by its Node build. */
const NOT_IN_BROWSER_BUILD = new Set(['quickjs-emscripten', 'sql.js', 'undici']);

interface Notice {
  name: string;
  version: string;
  license: string;
  text: string;
}

main();

function main(): void {
  const text = noticesText(bundledPackages().map(noticeOf));
  if (!process.argv.includes('--check')) {
    writeFileSync(FILE, text);
    return;
  }
  if (existsSync(FILE) && readFileSync(FILE, 'utf8') === text) return;
  console.error('THIRD_PARTY_NOTICES is not current. Run npm run notices and commit the file');
  process.exitCode = 1;
}

/** Directories of the packages whose code lies in dist/. */
function bundledPackages(): string[] {
  const files = globSync('dist/**/*.js', { cwd: ROOT });
  if (files.length === 0) throw new Error('Nothing is built: run npm run build first');
  const sources = globSync('sandbox/**/*.ts', { cwd: ROOT, exclude: ['**/*.config.ts'] });
  const names = new Set([
    ...files.flatMap((file) => matches(REGION, file)),
    ...sources
      .flatMap((file) => matches(IMPORT, file))
      .filter((name) => !name.startsWith('node:') && name !== 'isolated-vm'),
  ]);
  if (!names.has('just-bash'))
    throw new Error('Nothing imports just-bash: the way the guest is built has changed, and so must this script');
  const found = new Set<string>();
  for (const name of names) addWithDependencies(join(ROOT, 'node_modules', name), found);
  return [...found];
}

function matches(pattern: RegExp, file: string): string[] {
  return [...readFileSync(join(ROOT, file), 'utf8').matchAll(pattern)].map((match) => match[1] ?? '');
}

function addWithDependencies(directory: string, found: Set<string>): void {
  if (found.has(directory)) return;
  found.add(directory);
  for (const dependency of dependenciesOf(directory)) addWithDependencies(dependency, found);
}

function dependenciesOf(directory: string): string[] {
  const { dependencies = {} } = manifestOf(directory);
  const { resolve } = createRequire(join(directory, 'package.json'));
  const names = Object.keys(dependencies).filter((name) => !NOT_IN_BROWSER_BUILD.has(name));
  return names.flatMap((name) => {
    const paths = resolve.paths(name) ?? [];
    const found = paths.map((path) => join(path, name)).find((path) => existsSync(join(path, 'package.json')));
    return found === undefined ? [] : [found];
  });
}

function noticeOf(directory: string): Notice {
  const { name, version, license = 'see below' } = manifestOf(directory);
  const files = readdirSync(directory).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const text = files.map((file) => readFileSync(join(directory, file), 'utf8').trim()).join('\n\n');
  return { name, version, license, text: text || `(The package carries no licence file; it declares ${license}.)` };
}

function manifestOf(directory: string) {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: string;
    dependencies?: Record<string, string>;
  };
}

function noticesText(notices: Notice[]): string {
  const sorted = notices.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1));
  const rule = '-'.repeat(80);
  return [
    'Caisson is MIT licensed (see LICENSE). Its dist/ directory also holds code of the packages below,',
    'each under its own licence. just-bash (Apache-2.0) is included in a modified form: the build patches its browser',
    'bundle as sandbox/isolate/shell/patches of the source repository says, and loads it into V8 isolates only.',
    '',
    ...sorted.map(({ name, version, license }) => `  ${name} ${version} (${license})`),
    ...sorted.flatMap(({ name, version, license, text }) => [
      '',
      rule,
      `${name} ${version} (${license})`,
      rule,
      '',
      text,
    ]),
    '',
  ]
    .join('\n')
    .replaceAll('\r\n', '\n');
}
