import { GLOB, HOLE, isKnown, SPREAD } from '../../text/marks.js';
import { programName } from './program-name.js';
import { impliedOptions, namesOf } from './program-names.js';

/** How deep one spelling stands inside another: `corepack yarn workspace a npm publish`. */
const MAX_DEPTH = 4;

type Respeller = (rest: readonly string[]) => readonly string[] | undefined;

/** Programs of which some calls are those of another, or of themselves with fewer words. */
const RESPELLERS: Readonly<Record<string, Respeller>> = {
  python: runsModule,
  pypy: runsModule,
  py: runsModule,
  uv: (rest) => behind(rest, 'pip'),
  corepack: (rest) => rest.slice(rest.findIndex((word) => !word.startsWith('-'))),
  'docker-compose': (rest) => ['docker', 'compose', ...rest],
  'podman-compose': (rest) => ['podman', 'compose', ...rest],
  cargo: withoutToolchain('cargo'),
  rustc: withoutToolchain('rustc'),
  yarn: inWorkspace,
};

/**
 * A command in every way that rules may speak of it, as it stands first: `python3.12 -m pip install x` is that of
 * `python`, and `pip install x`. Only for rules that restrict: what they do not name is not allowed by these.
 */
export function respelled(words: readonly string[]): readonly (readonly string[])[] {
  const first = words[0] ?? '';
  const name = programName(first);
  if (!isKnown(name)) return [words];
  const names = namesOf(name);
  if (names.length === 1 && name !== 'node' && !Object.hasOwn(RESPELLERS, name)) return [words];
  const found: (readonly string[])[] = [words];
  addSpellings(words, { found, depth: 0 });
  return found;
}

function addSpellings(
  words: readonly string[],
  { found, depth }: { found: (readonly string[])[]; depth: number },
): void {
  const rest = words.slice(1);
  const typed = programName(words[0] ?? '');
  for (const [order, name] of namesOf(typed).entries()) {
    if (order > 0) found.push([name, ...impliedOptions(typed), ...rest]);
    if (depth === MAX_DEPTH) continue;
    for (const other of otherCommands(name, rest)) {
      found.push(other);
      addSpellings(other, { found, depth: depth + 1 });
    }
  }
}

function otherCommands(name: string, rest: readonly string[]): readonly (readonly string[])[] {
  if (name === 'node') return runsPackageManager(rest);
  const other = Object.hasOwn(RESPELLERS, name) ? RESPELLERS[name]?.(rest) : undefined;
  return other === undefined ? [] : [other];
}

const PYTHON_VALUES = new Set(['-W', '-X', '--check-hash-based-pycs']);

/** `python -m twine upload` is `twine upload`. */
function runsModule(rest: readonly string[]): readonly string[] | undefined {
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    if (!word.startsWith('-') || word === '-') return undefined;
    if (PYTHON_VALUES.has(word)) at += 1;
    const glued = /^-[bBdEhiIOPqRsSuvVx?]*m([\s\S]*)$/.exec(word)?.[1];
    if (glued === undefined) continue;
    const [module, from] = glued === '' ? [rest[at + 1], at + 2] : [glued, at + 1];
    return module === undefined
      ? undefined
      : [module.replace(/\._[\s\S]*$/, '').replaceAll('_', '-'), ...rest.slice(from)];
  }
  return undefined;
}

/** The command from this subcommand on, which stands behind options alone. */
function behind(rest: readonly string[], program: string): readonly string[] | undefined {
  const at = rest.indexOf(program);
  const isFirst = rest.slice(0, at).every((word, index) => word.startsWith('-') || rest[index - 1]?.startsWith('-'));
  return at !== -1 && isFirst ? rest.slice(at) : undefined;
}

/** `cargo +nightly publish` is `cargo publish`. */
function withoutToolchain(program: string): Respeller {
  return ([first = '', ...rest]) => (first.startsWith('+') ? [program, ...rest] : undefined);
}

const PACKAGE_MANAGERS = ['npm', 'npx', 'pnpm', 'yarn', 'corepack'];
const MANAGER_FILE = /(?:^|\/)(np[mx]|pnpm|yarn|corepack)(?:-cli)?\.c?js$|\/(np[mx]|pnpm|yarn|corepack)$/;

/** `node …/npm-cli.js publish` is `npm publish`. */
function runsPackageManager(rest: readonly string[]): readonly (readonly string[])[] {
  const at = rest.findIndex((word) => !word.startsWith('-'));
  const file = rest[at] ?? '';
  const after = rest.slice(at + 1);
  // What a substitution prints may be the path of any of them.
  if (file === SPREAD || file === HOLE) return PACKAGE_MANAGERS.map((name) => [`${name}${GLOB}`, ...after]);
  const [, script, linked] = MANAGER_FILE.exec(file) ?? [];
  const name = script ?? linked;
  return name === undefined ? [] : [[name, ...after]];
}

/** `yarn workspace a publish` and `yarn workspaces foreach -A npm publish` are `yarn publish` of those. */
function inWorkspace(rest: readonly string[]): readonly string[] | undefined {
  const at = rest.findIndex((word) => !word.startsWith('-'));
  if (rest[at] === 'workspaces' && rest[at + 1] === 'foreach') return ['yarn', ...rest.slice(at + 2)];
  return rest[at] === 'workspace' ? ['yarn', ...rest.slice(at + 2)] : undefined;
}
