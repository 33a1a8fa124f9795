import { CallFacts, type PermissionCall } from './call-facts.js';
import { isKnown } from './marks.js';
import { isFree, isWithinLimits } from './shell/allow-limits.js';
import { programName } from './shell/program-name.js';
import { globalOptionWidth } from './shell/program-table.js';
import type { ShellCommand } from './shell/shell-command.js';
import { SHELLS, WRAPPERS } from './shell/wrappers.js';
import { isFileTool, SHELL_TOOL } from './tool-names.js';

/** Programs that run what they are told: a rule for one of them would allow anything. */
const RUNNERS = new Set(
  `node nodejs deno bun tsx ts-node python pypy ipython jython perl raku ruby jruby irb php lua luajit awk gawk mawk nawk
  sed gsed tclsh wish expect osascript m4 r rscript julia java jshell scala groovy kotlin clojure clj elixir iex erl
  escript ghci runghc runhaskell stack ocaml guile racket sbcl clisp emacs swift dotnet csi pwsh powershell cmd wsl nu
  xonsh csh tcsh elvish qjs rhino gdb lldb jdb psql mysql mariadb sqlite duckdb mongosh redis-cli
  make gmake cmake ninja rake just task ant bazel tox nox sbt lein mix grunt gulp jake invoke fab
  eval exec source . command builtin trap alias xargs find parallel sudo doas su ssh scp sftp rsync env vim vi nvim ed
  ex emacs less more man tmux screen at batch crontab systemctl flatpak snap docker podman kubectl nerdctl lxc vagrant
  npm npx pnpm yarn bunx corepack uvx uv pip pipx conda mamba pdm rye poetry hatch pyenv rbenv nodenv asdf mise nvm fnm
  volta rustup cargo go gradle gradlew mvn mvnw nodemon concurrently hyperfine watchexec run-parts start-stop-daemon
  watchman fc hash enable bind set export declare typeset readonly`.split(/\s+/),
);
/** Of these a rule names the subcommand. */
const WITH_SUBCOMMAND = new Set('git gh npm pnpm yarn cargo go docker kubectl pip pip3 uv'.split(' '));
/** And these subcommands run what follows, or scripts of the project by name. */
const NAMED_SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  npm: ['run', 'run-script'],
  pnpm: ['run'],
  yarn: ['run'],
};
const RUNNING_SUBCOMMANDS = new Set([
  'exec',
  'x',
  'dlx',
  'run',
  'compose',
  'config',
  'bisect',
  'submodule',
  'filter-branch',
]);
const MAX_PROPOSALS = 5;

/**
 * Narrow allow rules by which a call like this one need not be asked about again: one for each simple command, none for
 * an interpreter, a shell, a wrapper or bare `git`. Empty where a part of the call has no such rule: half an answer
 * would be asked about again.
 */
export function proposeAllowRules(call: PermissionCall): string[] {
  if (call.toolName !== SHELL_TOOL) return isFileTool(call.toolName) ? filePaths(call) : [];
  const { shell } = new CallFacts(call);
  if (shell === undefined || shell.unreadable !== undefined || shell.malformed) return [];
  const commands = shell.commands.filter((command) => !command.guessed && !isFree(command) && !command.transparent);
  if (commands.some(({ redirects }) => redirects.some(({ kind }) => kind === 'write'))) return [];
  const rules = commands.map(ruleFor);
  if (rules.some((rule) => rule === undefined)) return [];
  const unique = [...new Set(rules.flatMap((rule) => rule ?? []))];
  return unique.length > MAX_PROPOSALS ? [] : unique;
}

/** A rule for one file is narrow; its directory is not for a machine to propose. */
function filePaths({ toolName, args }: PermissionCall): string[] {
  const path = (args as { path?: unknown } | null)?.path;
  if (typeof path !== 'string' || path.startsWith('/') || /[*?[\]{}\\()~]|(?:^|\/)\.\.(?:\/|$)|^\.?$/.test(path))
    return [];
  return [`${toolName}(/${path.replace(/^\.\//, '')})`];
}

function ruleFor(command: ShellCommand): string | undefined {
  const { words, assignments, wraps } = command;
  const [first = '', ...rest] = words;
  if (assignments.length > 0 || wraps || !isPlain(first) || first.includes('/')) return undefined;
  const program = programName(first);
  if (SHELLS.has(baseName(program)) || !isWithinLimits(command)) return undefined;
  if (WITH_SUBCOMMAND.has(program)) return ruleForSubcommand(program, rest);
  if (runsOthers(program)) return undefined;
  return `shell(${program}:*)`;
}

function runsOthers(program: string): boolean {
  return [program, baseName(program)].some((name) => RUNNERS.has(name) || WRAPPERS.has(name));
}

/** `python3.12`, `lua5.4` and `cmd.exe` are the same programs as without. */
function baseName(program: string): string {
  return program
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat)$/, '')
    .replace(/-?\d[\d.]*$/, '');
}

function ruleForSubcommand(program: string, rest: readonly string[]): string | undefined {
  let at = 0;
  while (rest[at]?.startsWith('-') === true) at += globalOptionWidth(program, rest[at] ?? '').at(-1) ?? 1;
  // A rule with options between would allow other ones too.
  if (at > 0) return undefined;
  const subcommand = rest[0];
  if (subcommand === undefined || !isPlain(subcommand)) return undefined;
  if (NAMED_SCRIPTS[program]?.includes(subcommand) === true) {
    const script = rest[1];
    return script === undefined || !isPlain(script) || script.startsWith('-')
      ? undefined
      : `shell(${program} ${subcommand} ${script}:*)`;
  }
  return RUNNING_SUBCOMMANDS.has(subcommand) ? undefined : `shell(${program} ${subcommand}:*)`;
}

/** Nothing that a rule would read otherwise. */
function isPlain(word: string): boolean {
  return isKnown(word) && /^[\w.:@+/-]+$/.test(word) && !word.includes('*');
}
