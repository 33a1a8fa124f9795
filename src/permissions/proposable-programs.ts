import { isPossibleAlias } from './shell/programs/program-table.js';
import { ownEntry } from './text/own-entry.js';

/** Programs that look, or make what is empty: with other arguments they do no more than they did. */
const LOOKING = new Set(
  `ls cat head tail wc grep egrep fgrep rg sort diff cmp comm cut tr stat du df tree pwd basename dirname realpath readlink
  nl od strings column paste join fold seq which whereis whoami id uname sha1sum sha256sum sha512sum md5sum cksum jq mkdir
  touch`.split(/\s+/),
);
const LOOKING_SUBCOMMANDS: Readonly<Record<string, ReadonlySet<string>>> = {
  git: new Set(
    `status diff log show blame annotate rev-parse rev-list ls-files ls-tree describe shortlog cat-file merge-base name-rev
    show-ref check-ignore count-objects range-diff whatchanged grep add commit`.split(/\s+/),
  ),
};

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
  watchman fc hash enable bind set export declare typeset readonly
  vite-node esno tsimp swc-node babel-node ts-node-esm ts-node-dev coffee bpython ptpython jupyter micropython hy
  pwsh-preview bc dc gnuplot octave maxima sage fsi csharp dotnet-script kotlinc zig nim crystal v dart flutter mojo
  janet lfe gosh chibi-scheme scheme chez csi bqn apl j swipl gprolog yap forth gforth factor pharo io wren
  mysqlsh mongo cqlsh sqlplus sqlcmd usql isql
  composer bundle bundler gem nx turbo lerna rush moon wireit earthly bazelisk buck buck2 pants meson scons waf act
  ansible ansible-playbook guix nix nix-shell nix-build devbox direnv capsh ifne pee foreman overmind honcho dotenv`.split(
    /\s+/,
  ),
);
/** Of these a rule names the subcommand. */
const WITH_SUBCOMMAND = new Set('git gh npm pnpm yarn cargo go docker kubectl pip pip3 uv'.split(' '));
/** And these subcommands run what follows. */
const RUNNING_SUBCOMMANDS = new Set(
  `exec x dlx compose config bisect submodule filter-branch container buildx tool explore create init node recursive
  workspaces workspace generate difftool mergetool send-email hook daemon alias extension debug attach rum urn watch`.split(
    /\s+/,
  ),
);
/** These run a script of the project, which they name. */
const SCRIPT_RUNNERS = new Set('npm run, npm run-script, pnpm run, yarn run'.split(', '));

/** Whether a program runs what it is told. */
export function isRunner(program: string): boolean {
  return RUNNERS.has(program) && !WITH_SUBCOMMAND.has(program);
}

export function takesSubcommand(program: string): boolean {
  return WITH_SUBCOMMAND.has(program);
}

/** Whether a subcommand runs what follows it, or could be anything. */
export function isRunningSubcommand(program: string, subcommand: string): boolean {
  if (SCRIPT_RUNNERS.has(`${program} ${subcommand}`)) return false;
  return subcommand === 'run' || RUNNING_SUBCOMMANDS.has(subcommand) || isPossibleAlias(program, subcommand);
}

/** How many words a rule for any arguments begins with; `undefined` where other arguments could do other things. */
export function lookingWords(program: string, subcommand: string | undefined): number | undefined {
  if (LOOKING.has(program)) return 1;
  return subcommand !== undefined && ownEntry(LOOKING_SUBCOMMANDS, program)?.has(subcommand) === true ? 2 : undefined;
}
