import { known, type NestedScript } from './layer.js';
import { valueIn } from './program-options.js';
import type { ShellWord } from './shell-syntax.js';

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
  rg: ['--pre', '--hostname-bin'],
  man: ['-P', '--pager'],
  git: ['--upload-pack', '--receive-pack', '--open-files-in-pager', '-O', '--exec', '--extcmd'],
};
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
  const bundled = bundledValues(program, texts).map((script) => ({ text: known(script) }));
  const given = texts.flatMap((text, index) => {
    const script = optionValue(program, text, texts[index + 1]) ?? settingValue(program, text, texts[index + 1]);
    return script === undefined ? [] : [{ text: known(script) }];
  });
  return [...bundled, ...given];
}

function optionValue(program: string, text: string, next: string | undefined): string | undefined {
  const options = COMMAND_OPTIONS[program];
  if (options === undefined || !text.startsWith('-')) return undefined;
  // Other programs' letters take other things along: `git commit -mOops`.
  if (!text.startsWith('--') && !CLUSTERS.has(program)) return options.includes(text) ? next : undefined;
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
  const settings = SETTINGS[program];
  const taken = settings === undefined ? undefined : valueIn(text, [settings.option]);
  if (settings === undefined || !text.startsWith('-') || taken === undefined) return undefined;
  const [, name, value] = /^([^=\s]+)(?:\s*=\s*|\s+)([\s\S]*)$/.exec(taken.value ?? next ?? '') ?? [];
  return name !== undefined && settings.runs.test(name) ? value : undefined;
}
