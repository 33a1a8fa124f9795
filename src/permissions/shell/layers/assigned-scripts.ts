import { isKnown } from '../../text/marks.js';
import { programName } from '../programs/program-name.js';
import { optionValues } from '../programs/program-options.js';
import type { RawCommand } from '../syntax/shell-command.js';
import { makeScripts } from './command-languages.js';
import type { NestedScript } from './layer.js';
import { isDevice } from './shell-layer.js';

/** Variables whose value programs run as a command. */
const RUN_LATER =
  /^(?:\w*PAGER|\w*EDITOR|VISUAL|BROWSER|FCEDIT|GIT_EXTERNAL_DIFF|GIT_SSH_COMMAND|GIT_SSH|GIT_PROXY_COMMAND|\w*ASKPASS|LESSOPEN|LESSCLOSE|PROMPT_COMMAND|\w+_RSH|SVN_SSH|\w+_(?:RUNNER|LINKER|WRAPPER|LAUNCHER)|RUSTC|RUSTDOC|CC|CXX|CPP|LD|AR|FC|\w+_COMMAND|\w+_CMD|MAILCAPS?_VIEWER|TERMINAL)$/;
/** Files that a shell reads before its script. */
const STARTS_SHELL = /^(?:BASH_ENV|ENV)$/;
/** Options for a program that are not on its command line. */
const OPTIONS: Readonly<Record<string, string>> = {
  TAR_OPTIONS: 'tar',
  MANOPT: 'man',
  LESS: 'less',
  MAKEFLAGS: 'make',
  GNUMAKEFLAGS: 'make',
  RSYNC_OPTIONS: 'rsync',
  FZF_DEFAULT_OPTS: 'fzf',
  VIMINIT: 'vim -c',
  EXINIT: 'vim -c',
};
const SETTERS: ReadonlySet<string> = new Set(['export', 'declare', 'typeset', 'readonly', 'env']);
const NOTHING: readonly NestedScript[] = [];
/** The texts that `GIT_CONFIG_PARAMETERS` is made of: `'name=value'` or `'name'='value'`. */
const PARAMETER = /'([^'=]+)'?=(?:'([^']*)'|([^']*)')/g;

/** Commands in variables, set before a command, for the rest of a script or for later programs. */
export function assignedScripts({ words, assignments }: RawCommand): readonly NestedScript[] {
  const first = words[0]?.text ?? '';
  const sets = SETTERS.has(first);
  if (assignments.length === 0 && !sets && !first.endsWith('git')) return NOTHING;
  const rest = words.slice(1).map(({ text }) => text);
  const set = sets ? rest : [];
  const all = [...assignments, ...set];
  const program = programName(first);
  if (all.length === 0) return program === 'git' ? settingsFromOutside(rest, all) : [];
  const scripts = all.flatMap((text): NestedScript[] => {
    const [, name = '', value = ''] = /^(\w+)\+?=([\s\S]+)$/.exec(text) ?? [];
    if (STARTS_SHELL.test(name) && isDevice(value)) return [{ text: undefined }];
    // What is not known is likely to be what it was.
    if (value === '' || !isKnown(value)) return [];
    return scriptsOf(name, value, { all, program }).map((script) => ({ text: script, guessed: true }));
  });
  return program === 'git' ? [...scripts, ...settingsFromOutside(rest, all)] : scripts;
}

function scriptsOf(
  name: string,
  value: string,
  { all, program }: { all: readonly string[]; program: string },
): string[] {
  const options = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
  if (options !== undefined) return [options.endsWith(' -c') ? `${options} ${quoted(value)}` : `${options} ${value}`];
  if (name === 'GIT_CONFIG_PARAMETERS')
    return [...value.matchAll(PARAMETER)].map(([, key = '', one, other]) => withSetting(key, one ?? other ?? ''));
  const number = /^GIT_CONFIG_VALUE_(\d+)$/.exec(name)?.[1];
  if (number !== undefined) return [withSetting(settingIn(all, `GIT_CONFIG_KEY_${number}`) ?? 'alias.x', value), value];
  // `make` takes its variables from there, and expands what they hold.
  if (/^g?make$/.test(program)) return [value, ...makeScripts(value)];
  // `LESSOPEN` may begin with a pipe, a setting of git with a `!`.
  return RUN_LATER.test(name) ? [value.replace(/^[|!-]+/, '')] : [];
}

/** `--config-env=name=VARIABLE`: its value may stand before the command, or come from anywhere. */
function settingsFromOutside(words: readonly string[], all: readonly string[]): NestedScript[] {
  return optionValues(words, /^--config-env$/).flatMap((setting): NestedScript[] => {
    const at = setting.lastIndexOf('=');
    const name = setting.slice(0, at);
    const value = settingIn(all, setting.slice(at + 1));
    if (at > 0 && isKnown(setting) && value !== undefined && isKnown(value))
      return [{ text: withSetting(name, value), guessed: true }];
    return at === -1 || isHarmless(name) ? [] : [{ text: undefined }];
  });
}

/** Settings that no program is run by. */
function isHarmless(name: string): boolean {
  return /^(?:user\.(?:name|email)|color\.|init\.defaultbranch|http\.extraheader|http\..*\.extraheader|url\.)/i.test(
    name,
  );
}

function withSetting(name: string, value: string): string {
  return `git -c ${quoted(`${name}=${value}`)}`;
}

function settingIn(all: readonly string[], name: string): string | undefined {
  return all.findLast((text) => text.startsWith(`${name}=`))?.slice(name.length + 1);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
