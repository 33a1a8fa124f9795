import { known, type NestedScript } from './layer.js';
import type { ShellWord } from './shell-syntax.js';

/** By program, the options whose value a shell runs: `--option value` and `--option=value`. */
const COMMAND_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  tar: ['--to-command', '--use-compress-program', '-I', '--rsh-command', '--info-script', '--new-volume-script', '-F'],
  rsync: ['-e', '--rsh', '--rsync-path'],
  sort: ['--compress-program'],
  split: ['--filter'],
  rg: ['--pre', '--hostname-bin'],
  man: ['-P', '--pager'],
  git: ['--upload-pack', '--receive-pack', '--open-files-in-pager', '-O', '--exec'],
};
const CHECKPOINT = '--checkpoint-action=exec=';

/** Options that take a setting, `-c name=value`, and the names of settings whose value is run. */
const SETTINGS: Readonly<Record<string, { option: string; runs: RegExp }>> = {
  git: {
    option: '-c',
    runs: /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy)|pager\..+|sequence\.editor|diff\.external|credential(?:\..+)?\.helper|gpg(?:\..+)?\.program|(?:diff|merge|filter|difftool|mergetool|browser|man|guitool|trailer|tar)\..+\.(?:command|driver|textconv|clean|smudge|process|cmd))$/i,
  },
  ssh: { option: '-o', runs: /^(?:proxycommand|localcommand|knownhostscommand)$/i },
  scp: { option: '-o', runs: /^(?:proxycommand|localcommand|knownhostscommand)$/i },
  sftp: { option: '-o', runs: /^(?:proxycommand|localcommand|knownhostscommand)$/i },
};

/** Command lines in a program's options: `tar --to-command=cmd`, `git -c core.pager=cmd`, `ssh -o ProxyCommand=cmd`. */
export function optionScripts(program: string, words: readonly ShellWord[]): NestedScript[] {
  const texts = words.map(({ text }) => text);
  return texts.flatMap((text, index) => {
    const script = optionValue(program, text, texts[index + 1]) ?? settingValue(program, text, texts[index + 1]);
    return script === undefined ? [] : [{ text: known(script) }];
  });
}

function optionValue(program: string, text: string, next: string | undefined): string | undefined {
  if (program === 'tar' && text.startsWith(CHECKPOINT)) return text.slice(CHECKPOINT.length);
  const options = COMMAND_OPTIONS[program] ?? [];
  if (options.includes(text)) return next;
  const option = options.find((name) => text.startsWith(`${name}=`));
  return option === undefined ? undefined : text.slice(option.length + 1);
}

function settingValue(program: string, text: string, next: string | undefined): string | undefined {
  const settings = SETTINGS[program];
  if (settings === undefined || !text.startsWith(settings.option)) return undefined;
  const setting = text === settings.option ? next : text.slice(settings.option.length);
  const [, name, value] = /^([^=\s]+)(?:\s*=\s*|\s+)([\s\S]*)$/.exec(setting ?? '') ?? [];
  return name !== undefined && settings.runs.test(name) ? value : undefined;
}
