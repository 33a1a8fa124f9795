import { ownEntry } from '../../text/own-entry.js';
import { valueIn } from '../programs/program-options.js';
import type { ShellWord } from '../syntax/shell-syntax.js';
import { known, type NestedScript } from './layer.js';

const CHECKPOINT = '--checkpoint-action';
/** Their short options may stand in one word, the value of the last one with them. */
const CLUSTERS: ReadonlySet<string> = new Set(['tar', 'rsync', 'man']);

/** By program, the options whose value a shell runs: `--option value` and `--option=value`. */
const COMMAND_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  tar: [
    '--to-command',
    '--use-compress-program',
    '-I',
    '--rsh-command',
    '--info-script',
    '--new-volume-script',
    '-F',
    CHECKPOINT,
  ],
  rsync: ['-e', '--rsh', '--rsync-path'],
  sort: ['--compress-program'],
  split: ['--filter'],
  zip: ['-TT', '--unzip-command'],
  nc: ['-e', '-c'],
  ncat: ['-e', '-c', '--exec', '--sh-exec'],
  netcat: ['-e', '-c'],
  nodemon: ['-x', '--exec'],
  vagrant: ['-c', '--command'],
  gcloud: ['--command'],
  scp: ['-S'],
  sftp: ['-S'],
  'start-stop-daemon': ['-x', '--exec', '-a', '--startas'],
  rg: ['--pre', '--hostname-bin'],
  man: ['-P', '--pager', '-H', '--html'],
  git: [
    ...['--upload-pack', '--receive-pack', '--open-files-in-pager', '-O', '--exec', '--extcmd', '--smtp-server'],
    ...['--sendmail-cmd', '--to-cmd', '--cc-cmd', '--header-cmd', '--httpd', '--authors-prog'],
  ],
  go: ['-exec', '-toolexec', '-vettool', '--exec', '--toolexec', '--vettool'],
  helm: ['--post-renderer'],
  mypy: ['--python-executable'],
  bazel: ['--run_under'],
  ...Object.fromEntries(['gcc', 'g++', 'cc', 'c++', 'clang', 'clang++'].map((name) => [name, ['-wrapper']])),
  ctest: ['--test-command'],
  just: ['--shell', '-c', '--command'],
  svn: ['--diff-cmd', '--diff3-cmd', '--editor-cmd'],
  hg: ['--ssh', '--remotecmd', '-e', '--tool'],
  dpkg: ['--pre-invoke', '--post-invoke'],
  tcpdump: ['-z'],
  scrot: ['-e', '--exec'],
  wget: ['--use-askpass'],
  mosh: ['--server', '--ssh', '--client'],
  asciinema: ['-c', '--command'],
  bpftrace: ['-c'],
  sysdig: ['-c'],
  chokidar: ['-c', '--command'],
  fly: ['-C', '--command'],
  flyctl: ['-C', '--command'],
  az: ['--scripts'],
  flatpak: ['--command'],
  'watchman-make': ['--run'],
  fzf: ['--preview', '--bind', '--execute'],
  sk: ['--preview', '--bind', '-c', '--cmd'],
  bat: ['--pager'],
  batcat: ['--pager'],
  delta: ['--pager'],
  ag: ['--pager'],
  ack: ['--pager'],
  pandoc: ['--pdf-engine', '-F', '--filter'],
  rtorrent: ['-o'],
  openvpn: ['--up', '--down', '--route-up', '--ipchange', '--tls-verify', '--client-connect'],
  rclone: ['--password-command', '--sftp-ssh'],
  restic: ['--password-command', '--stdin-from-command'],
  borg: ['--rsh'],
};
/** Words that hold a command line each, by what stands before it. */
const COMMAND_WORDS: Readonly<Record<string, RegExp>> = {
  socat: /^(?:exec|system|shell):([^,]+)/i,
  make: /^\w+[:?+]*!?=([\s\S]+)/,
  gmake: /^\w+[:?+]*!?=([\s\S]+)/,
  npm: /^--script-shell=([\s\S]+)/,
  java: /^-XX:On\w+=([\s\S]+)/,
  cmake: /^-D\w*(?:COMPILER|LAUNCHER|LINKER|COMMAND|EXECUTABLE|PROGRAM)(?::\w+)?=([\s\S]+)/,
};
/** Short options of one command of git, which mean something else in others. */
const GIT_OPTIONS: Readonly<Record<string, string>> = { clone: '-u', difftool: '-x', grep: '-O' };
/** Options that take a setting, `-c name=value`, and the names of settings whose value is run. */
const SETTINGS: Readonly<Record<string, { options: readonly string[]; runs: RegExp }>> = {
  git: {
    options: ['-c', '--config'],
    runs: /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy|alternaterefscommand)|remote\..+\.(?:uploadpack|receivepack)|uploadpack\.packobjectshook|interactive\.difffilter|submodule\..+\.update|sendemail\.(?:.*cmd|smtpserver)|instaweb\.httpd|pager\..+|sequence\.editor|diff\.external|credential(?:\..+)?\.helper|gpg(?:\..+)?\.program|(?:diff|merge|filter|difftool|mergetool|browser|man|guitool|trailer|tar)\..+\.(?:command|driver|textconv|clean|smudge|process|cmd))$/i,
  },
  ssh: { options: ['-o'], runs: /^(?:proxycommand|localcommand|knownhostscommand)$/i },
  scp: { options: ['-o'], runs: /^(?:proxycommand|localcommand|knownhostscommand)$/i },
  sftp: { options: ['-o'], runs: /^(?:proxycommand|localcommand|knownhostscommand)$/i },
  cargo: { options: ['--config'], runs: /^(?:build\.rust.*|target\..*(?:runner|linker)|alias\..*|host\..*)$/i },
  rustc: { options: ['-C', '--codegen'], runs: /^linker$/ },
  hg: {
    options: ['--config'],
    runs: /^(?:alias|hooks|ui\.(?:ssh|editor|merge)|merge-tools|pager|extdiff|extensions)\b/i,
  },
  svn: { options: ['--config-option'], runs: /^config:(?:tunnels|helpers):/i },
  apt: { options: ['-o', '--option'], runs: /^(?:apt|dpkg)::.*(?:invoke|method|editor|pager|pre-install-pkgs)/i },
  'apt-get': { options: ['-o', '--option'], runs: /^(?:apt|dpkg)::.*(?:invoke|method|editor|pager|pre-install-pkgs)/i },
  rtorrent: { options: ['-o'], runs: /^execute/ },
};

const PROGRAMS: ReadonlySet<string> = new Set(
  [COMMAND_OPTIONS, COMMAND_WORDS, SETTINGS].flatMap((table) => Object.keys(table)),
);
const NOTHING: readonly NestedScript[] = [];

/** Command lines in a program's options: `tar --to-command=cmd`, `git -c core.pager=cmd`, `ssh -o ProxyCommand=cmd`. */
export function optionScripts(program: string, words: readonly ShellWord[]): readonly NestedScript[] {
  if (!PROGRAMS.has(program)) return NOTHING;
  const texts = words.map(({ text }) => text);
  const bundled = bundledValues(program, texts).map((script) => ({ text: known(script) }));
  const given = texts.flatMap((text, index) => {
    const script = optionValue(program, text, texts[index + 1]) ?? settingValue(program, text, texts[index + 1]);
    return script === undefined ? [] : [{ text: known(script) }];
  });
  const pattern = ownEntry(COMMAND_WORDS, program);
  // A shell that is named there runs the words of others, not its stdin.
  const named = pattern === undefined ? [] : texts.flatMap((text) => pattern.exec(text)?.[1] ?? []);
  const scripts = named.map((script) => ({ text: known(script), guessed: true }));
  const git = program === 'git' ? gitScripts(texts).map((script) => ({ text: known(script) })) : [];
  return [...bundled, ...given, ...scripts, ...git];
}

function optionValue(program: string, text: string, next: string | undefined): string | undefined {
  const options = ownEntry(COMMAND_OPTIONS, program);
  if (options === undefined || !text.startsWith('-')) return undefined;
  // No shorter `--authors-prog`: an option of its own.
  if (/^--author(?:=|$)/.test(text)) return undefined;
  // Other programs' letters take other things along: `git commit -mOops`.
  if (!text.startsWith('--') && !CLUSTERS.has(program)) {
    const [, name = text, value = next] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? [];
    // `-wrapper program,argument`
    return options.includes(name) ? (name === '-wrapper' ? value?.replaceAll(',', ' ') : value) : undefined;
  }
  const taken = valueIn(text, options);
  if (taken === undefined) return undefined;
  const value = taken.value ?? next;
  if (taken.option !== CHECKPOINT) return value;
  return value?.startsWith('exec=') === true ? value.slice('exec='.length) : undefined;
}

/** `tar cIf program file`: the letters of a first word without a dash take the next words in turn. */
function bundledValues(program: string, [first = '', ...rest]: readonly string[]): string[] {
  if (program !== 'tar' || !/^[A-Za-z]+$/.test(first)) return [];
  const takers = [...first].filter((letter) => 'bCfFgHIKLNTVX'.includes(letter));
  return rest.filter((_, index) => /^[IF]$/.test(takers[index] ?? ''));
}

function settingValue(program: string, text: string, next: string | undefined): string | undefined {
  const settings = ownEntry(SETTINGS, program);
  const taken = settings === undefined ? undefined : valueIn(text, settings.options);
  if (settings === undefined || !text.startsWith('-') || taken === undefined) return undefined;
  const [, name, value] = /^([^=\s]+)(?:\s*=\s*|\s+)([\s\S]*)$/.exec(taken.value ?? next ?? '') ?? [];
  return name !== undefined && settings.runs.test(name) ? commandOf(value) : undefined;
}

/** `credential.helper=!cmd`: a shell command where it begins so. Some settings are quoted as in a file. */
function commandOf(value: string | undefined): string | undefined {
  return value?.replace(/^(["'])([\s\S]*)\1$/, '$2').replace(/^!/, '');
}

/** `git config core.pager cmd`, `git clone -u cmd`, `git clone ext::cmd`. */
function gitScripts(texts: readonly string[]): string[] {
  const { runs } = SETTINGS.git ?? { runs: /^$/ };
  const setting = texts.includes('config') ? texts.findIndex((text) => runs.test(text)) : -1;
  const value = setting === -1 ? undefined : texts.slice(setting + 1).find((text) => !text.startsWith('--'));
  const glued = Object.entries(GIT_OPTIONS).flatMap(([subcommand, option]) => {
    if (!texts.includes(subcommand)) return [];
    return texts.flatMap((text, index) => {
      if (text === option) return subcommand === 'grep' ? [] : (texts[index + 1] ?? []);
      return text.startsWith(option) ? [text.slice(option.length)] : [];
    });
  });
  // `%` and a letter stand for parts of the request; `% ` for a blank.
  const transports = texts.flatMap((text) => /^ext::([\s\S]+)$/.exec(text)?.[1]?.replace(/% /g, '\\ ') ?? []);
  return [...(value === undefined ? [] : [commandOf(value) ?? value]), ...glued, ...transports];
}
