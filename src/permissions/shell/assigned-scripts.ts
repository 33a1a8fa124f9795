import { isKnown } from '../marks.js';
import type { NestedScript } from './layer.js';
import type { RawCommand } from './shell-command.js';
import { isDevice } from './shell-layer.js';

/** Variables whose value programs run as a command. */
const RUN_LATER =
  /^(?:\w*PAGER|\w*EDITOR|VISUAL|BROWSER|FCEDIT|GIT_EXTERNAL_DIFF|GIT_SSH_COMMAND|GIT_SSH|GIT_PROXY_COMMAND|GIT_CONFIG_VALUE_\d+|\w*ASKPASS|LESSOPEN|LESSCLOSE|PROMPT_COMMAND|RSYNC_RSH|CVS_RSH|SVN_SSH|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|CARGO_BUILD_RUSTC_WRAPPER|FZF_DEFAULT_COMMAND)$/;
/** Files that a shell reads before its script. */
const STARTS_SHELL = /^(?:BASH_ENV|ENV)$/;
/** Options for a program that are not on its command line. */
const OPTIONS: Readonly<Record<string, string>> = {
  TAR_OPTIONS: 'tar',
  MANOPT: 'man',
  LESS: 'less',
  MAKEFLAGS: 'make',
};

/** Commands in variables, set before a command, for the rest of a script or for later programs. */
export function assignedScripts({ words, assignments }: RawCommand): NestedScript[] {
  const [first, ...rest] = words.map(({ text }) => text);
  const set = /^(?:export|declare|typeset|readonly|env)$/.test(first ?? '') ? rest : [];
  return [...assignments, ...set].flatMap((text): NestedScript[] => {
    const [, name = '', value = ''] = /^(\w+)\+?=([\s\S]+)$/.exec(text) ?? [];
    if (STARTS_SHELL.test(name) && isDevice(value)) return [{ text: undefined }];
    // What is not known is likely to be what it was.
    if (value === '' || !isKnown(value)) return [];
    const program = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
    if (program !== undefined) return [{ text: `${program} ${value}`, guessed: true }];
    // `LESSOPEN` may begin with a pipe, a setting of git with a `!`.
    return RUN_LATER.test(name) ? [{ text: value.replace(/^[|!-]+/, ''), guessed: true }] : [];
  });
}
