import { known, type NestedScript } from './layer.js';
import type { RawCommand } from './shell-command.js';

/** Variables whose value programs run as a command. */
const RUN_LATER =
  /^(?:\w*PAGER|\w*EDITOR|VISUAL|BROWSER|GIT_EXTERNAL_DIFF|GIT_SSH_COMMAND|GIT_SSH|GIT_PROXY_COMMAND|\w*ASKPASS|LESSOPEN|LESSCLOSE|PROMPT_COMMAND|RSYNC_RSH|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|CARGO_BUILD_RUSTC_WRAPPER|FZF_DEFAULT_COMMAND)\+?=([\s\S]+)$/;

/** Commands in variables, set before a command, for the rest of a script or for later programs. */
export function assignedScripts({ words, assignments }: RawCommand): NestedScript[] {
  const [first, ...rest] = words.map(({ text }) => text);
  const set = /^(?:export|declare|typeset|readonly|env)$/.test(first ?? '') ? rest : [];
  return [...assignments, ...set].flatMap((text) => {
    const command = RUN_LATER.exec(text)?.[1];
    // `LESSOPEN` may begin with a pipe; what is not known is likely to be what it was.
    return command === undefined || known(command) === undefined ? [] : [{ text: command.replace(/^[|-]+/, '') }];
  });
}
