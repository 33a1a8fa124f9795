import { describe, expect, it } from 'vitest';
import { parsePolicy } from '../../../src/permissions/policy.js';

function decided(rules: { allow?: string[]; deny?: string[] }, command: string) {
  const policy = parsePolicy({ ...rules, default: rules.deny === undefined ? 'ask' : 'allow' });
  return policy.explain({ toolName: 'shell', args: { command } });
}

const BUILTINS = 'printf mapfile readarray getopts declare typeset readonly export unset let set wait select'.split(
  ' ',
);
const ALLOW = ['ls', 'git status', ...BUILTINS].map((program) => `shell(${program}:*)`);

describe('a variable that decides what programs do', () => {
  it.each([
    'for PATH in .; do ls; done',
    'for HOME in "$PWD"; do git status; done',
    'select PATH in .; do ls; done',
    'read PATH <<< .; ls',
    'read -r x PATH <<< ". ."; ls',
    'read -a PATH <<< .; ls',
    'read -ra PATH <<< .; ls',
    'command read PATH <<< .; ls',
    'read GIT_PAGER <<< x; git status',
    'echo . | while read PATH; do ls; done',
    'f() { local PATH=.; ls; }; f',
    'f() { local PATH; ls; }; f',
    'f() { local -n r=PATH; r=.; ls; }; f',
    'declare -n r=PATH; r=.; ls',
    'declare PATH=.; ls',
    "declare 'PATH=.'; ls",
    'declare "PATH[0]=."; ls',
    'typeset -x PATH=.; ls',
    'readonly PATH=.; ls',
    'export PATH=.; ls',
    'export LD_PRELOAD=./x.so; ls',
    'unset PATH; ls',
    '((PATH=1)); ls',
    '(( PATH += 1 )); ls',
    '((++PATH)); ls',
    '[[ PATH=1 -eq 1 ]]; ls',
    'echo $((PATH=1)); ls',
    'echo "$((PATH=1))"; ls',
    'let PATH=1; ls',
    "x='PATH=1'; ((x)); ls",
    'echo ${x:PATH=1}; ls',
    'for ((PATH=1;;)); do ls; break; done',
    'ls {PATH}</dev/null; ls',
    'coproc PATH { ls; }',
    'set -k; ls PATH=.',
    'set -o keyword; ls PATH=.',
    'printf -v PATH .; ls',
    'printf -vPATH .; ls',
    "printf 'a%n' PATH; ls",
    'mapfile PATH <<< .; ls',
    'mapfile -t -n 1 PATH <<< .; ls',
    'readarray -t PATH <<< .; ls',
    'getopts a PATH; ls',
    'echo "${PATH:=.}"; ls',
    ': ${GIT_PAGER=x}; git status',
    'wait -n -p PATH; ls',
    'ls; read PATH',
    "bash -c 'read PATH <<< .; ls'",
    "eval 'read PATH <<< .'; ls",
    // The name is made up when it runs.
    'read "$x" <<< .; ls',
    'printf -v "$n" .; ls',
    'mapfile "$n" <<< .; ls',
    'declare "$n=."; ls',
    'echo ${!n:=.}; ls',
  ])('is seen to be set by %j', (command) => {
    expect(decided({ allow: [...ALLOW, 'shell(bash:*)', 'shell(eval:*)'] }, command).decision).toBe('ask');
  });

  it.each([
    'for f in a b; do ls "$f"; done',
    'while read -r line; do ls "$line"; done < list',
    'read -p PATH -r answer; ls',
    'echo $((1 + 2)); ls',
    '((x == PATH)); ls',
    'printf "%s\\n" PATH; ls',
    'f() { local dir=src; ls "$dir"; }; f',
    'declare -p PATH; ls',
    'export CI=1; ls',
    'mapfile -t lines < list; ls',
    'echo "${NAME:=x}"; ls',
    'set -e; ls',
  ])('is not set by %j', (command) => {
    expect(decided({ allow: ALLOW }, command).decision).toBe('allow');
  });

  it('has a value that may be a command', () => {
    expect(decided({ deny: ['shell(rm:*)'] }, "for PAGER in 'rm x'; do git log; done").decision).toBe('deny');
  });
});

describe('a program that is told where to run another', () => {
  it.each([
    'env -C /tmp/evil git status',
    'env -C/tmp/evil git status',
    'env --chdir=/tmp/evil git status',
    'env --chd /tmp/evil git status',
    'sudo -D /tmp/evil git status',
    'sudo --chroot=/tmp/evil git status',
    'nsenter --wd=/tmp/evil git status',
    'nsenter -w/tmp/evil git status',
    'systemd-run -p WorkingDirectory=/tmp/evil git status',
    'systemd-run --property=WorkingDirectory=/tmp/evil git status',
    'unshare --wd /tmp/evil git status',
    'env -C .. git status',
    'env -C "$X" git status',
  ])('asks as a cd would: %j', (command) => {
    const allow = ['git status', 'sudo', 'nsenter', 'systemd-run', 'unshare'].map((program) => `shell(${program}:*)`);
    expect(decided({ allow }, command).decision).toBe('ask');
    expect(decided({ deny: ['shell(cd:*)'] }, command).decision).toBe('deny');
  });

  it.each([
    'make -C /tmp/evil test',
    'make test --directory=/tmp/evil',
    'npm test --prefix /tmp/evil',
    'npm -C/tmp/evil test',
    'pnpm --dir .. test',
    'go test -C /tmp/evil',
  ])('asks where a project elsewhere says what runs: %j', (command) => {
    const allow = ['make', 'npm', 'pnpm', 'go'].map((program) => `shell(${program}:*)`);
    expect(decided({ allow }, command).decision).toBe('ask');
    expect(decided({ allow }, command.replace(/\/tmp\/evil|\.\./, 'packages/a')).decision).toBe('allow');
  });

  it('is allowed inside the workspace, and leaves the shell where it is', () => {
    expect(decided({ allow: ['shell(git status:*)'] }, 'env -C sub git status').decision).toBe('allow');
    expect(decided({ allow: [] }, 'env -C sub ls; cat a').reads).toContain('a');
  });
});

describe('a command whose name is in a variable', () => {
  it.each([
    ['PY=python3; "$PY" -m pytest', 'shell(python3 -m pytest:*)'],
    ['CMD=npm; "$CMD" test', 'shell(npm test)'],
    ['CMD=npm; $CMD test', 'shell(npm test)'],
    ['CMD=npm\n"${CMD}" test', 'shell(npm test)'],
    ['BIN="npm" && $BIN test', 'shell(npm test)'],
    ['P=./node_modules/.bin; "$P/tsc"', 'shell(./node_modules/.bin/tsc:*)'],
  ])('is that command: %j', (command, rule) => {
    expect(decided({ allow: [rule] }, command).decision).toBe('allow');
    expect(decided({ deny: ['shell(rm:*)', 'shell(git push:*)'] }, command).decision).toBe('allow');
    expect(decided({ deny: [rule] }, command)).toMatchObject({ decision: 'deny', certainty: 'yes' });
  });

  it.each([
    'CMD=rm; "$CMD" x',
    'CMD=npm; CMD=rm; "$CMD" x',
    'CMD=npm; read CMD; "$CMD" x',
    'R=read; X=ls; $R X <<< rm; $X a',
    '"$CMD" x; CMD=npm',
    'if a; then CMD=npm; fi; "$CMD" x',
  ])('is not taken for harmless: %j', (command) => {
    expect(decided({ deny: ['shell(rm:*)'] }, command).decision).toBe('deny');
  });
});

describe('an alias', () => {
  it.each([
    ["alias ll='ls -l'; ll", 'allow'],
    ['alias g=git; g push', 'deny'],
    ["alias x='rm -rf'; x a", 'deny'],
    ["alias x='a; rm b'", 'deny'],
    ["alias x='ls;'; x rm", 'deny'],
    ['alias x="$y"; x', 'deny'],
    ["alias x='ls $('; x", 'deny'],
  ])('is code that may run: %j', (command, expected) => {
    expect(decided({ deny: ['shell(rm:*)', 'shell(git push:*)'] }, command).decision).toBe(expected);
  });

  it('gives an allowed name no other meaning', () => {
    expect(decided({ allow: ['shell(ls:*)', 'shell(alias:*)'] }, 'alias ls=./evil; ls').decision).toBe('ask');
  });
});

it.each([
  ['shell(rm -rf:*)', 'coreutils rm -rf x'],
  ['shell(rm -rf:*)', 'coreutils --coreutils-prog=rm -rf x'],
  ['shell(python:*)', 'python3.13t x.py'],
  ['shell(python:*)', 'python3-dbg x.py'],
  ['shell(python:*)', 'python3.12d x.py'],
  ['shell(python:*)', 'pythonw x.py'],
  ['shell(npm publish:*)', 'node $(which npm) publish'],
  ['shell(npm publish:*)', 'node "$(which npm)" publish'],
  ['shell(npm publish:*)', 'node /usr/bin/npm publish'],
  ['shell(pip install:*)', 'python -m pip._internal install x'],
])('%s denies %s', (rule, command) => {
  expect(decided({ deny: [rule] }, command).decision).toBe('deny');
  expect(decided({ deny: ['shell(git push:*)'] }, command).decision).toBe('allow');
});

it.each(['eval "$(fnm env)"', 'source "$T"', 'ls; eval "$(fnm env)"'])(
  'says which part runs what is not known: %s',
  (command) => {
    const { part } = decided({ deny: ['shell(rm:*)'] }, command);
    const [from = 0, to = 0] = part?.span ?? [];
    expect(command.slice(from, to)).toBe(command.replace('ls; ', ''));
  },
);
