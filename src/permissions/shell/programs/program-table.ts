import { ownEntry } from '../../text/own-entry.js';

/** Options before the subcommand that take the next word with them. */
const VALUE_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  git: ['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--super-prefix', '--config-env', '--exec-path'],
  kubectl: ['-n', '--namespace', '--context', '--kubeconfig', '-s', '--server', '--cluster', '--user'],
  npm: ['--prefix', '-w', '--workspace', '-C', '--registry', '--loglevel'],
  pnpm: ['--dir', '-C', '--filter', '-F'],
  yarn: ['--cwd'],
  uv: ['--directory', '--project', '--config-file', '--cache-dir'],
  terraform: [],
  aws: ['--profile', '--region', '--output', '--endpoint-url'],
  docker: ['-c', '--context', '-H', '--host', '--config', '-l', '--log-level'],
};

/** Options that stand alone there. */
const LONE_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  git: [
    '-p',
    '--paginate',
    '-P',
    '--no-pager',
    '--bare',
    '--no-replace-objects',
    '--literal-pathspecs',
    '--no-optional-locks',
    '--glob-pathspecs',
    '--icase-pathspecs',
    '--no-lazy-fetch',
    '--noglob-pathspecs',
  ],
};

const GIT_SUBCOMMANDS = new Set(
  `add am annotate apply archive bisect blame branch bundle cat-file check-ignore checkout cherry cherry-pick clean clone
  commit commit-tree config count-objects describe diff diff-files diff-index diff-tree difftool fetch filter-branch
  for-each-ref format-patch fsck gc grep hash-object help init log ls-files ls-remote ls-tree maintenance merge merge-base
  merge-tree mergetool mv name-rev notes pull push range-diff read-tree rebase reflog remote repack replace request-pull reset restore
  rev-list rev-parse revert rm send-email shortlog show show-branch show-ref sparse-checkout stage stash status submodule
  switch symbolic-ref tag update-index update-ref var verify-commit verify-tag version whatchanged worktree write-tree`.split(
    /\s+/,
  ),
);

/** Programs whose words are known to be data, or whose commands are looked into by name. */
const TRANSPARENT_TO_RULES = new Set(
  `alias awk basename cargo cat cd chgrp chmod chown cmp comm command cp curl cut date dd df diff dirname docker du echo egrep
  env eval exec export false fgrep file find gh git go grep head helm help info install jq kubectl less ln ls make man mkdir more mv
  node npm npx openssl paste patch perl php pip pip3 pnpm podman printf ps pwd pytest python python3 read readlink realpath
  rg rm rmdir ruby sed seq sha256sum sleep sort source stat tail tar tee terraform test touch tr true tsc type uniq unset
  unzip vitest wc wget whereis which xargs yarn yq zip [ : .`.split(/\s+/),
);

/** How many words an option before a subcommand takes; both where it is not known. */
export function globalOptionWidth(program: string, option: string): readonly number[] {
  if (option.includes('=')) return [1];
  if (ownEntry(VALUE_OPTIONS, program)?.includes(option) === true) return [2];
  if (ownEntry(LONE_OPTIONS, program)?.includes(option) === true) return [1];
  return [1, 2];
}

/** A subcommand that git does not have is an alias in some configuration: it can be anything. */
export function isPossibleAlias(program: string, subcommand: string): boolean {
  return program === 'git' && /^[A-Za-z]/.test(subcommand) && !GIT_SUBCOMMANDS.has(subcommand);
}

/** A program that this table knows nothing of: its words may be a command it runs. */
export function isOpaqueProgram(program: string): boolean {
  return !TRANSPARENT_TO_RULES.has(program);
}
