import type { ShellCommand } from '../syntax/shell-command.js';
import { read, type TouchedWord, writtenIn } from './touched-word.js';

/** Variables that name a file which programs read by themselves. */
const READ_BY_THEMSELVES =
  /^(?:BASH_ENV|ENV|GIT_CONFIG(?:_GLOBAL|_SYSTEM)?|PYTHONSTARTUP|PERL5DB|MAKEFILES|CURL_HOME)=([\s\S]+)$/;
/** Variables that name a directory which programs write in. */
const WRITTEN_IN =
  /^(?:GIT_DIR|GIT_WORK_TREE|GIT_INDEX_FILE|GIT_OBJECT_DIRECTORY|GIT_TRACE\w*|CARGO_TARGET_DIR|CARGO_INSTALL_ROOT|GOPATH|GOBIN|GOCACHE|npm_config_prefix|PIP_TARGET|PIP_PREFIX|DESTDIR|VIRTUAL_ENV|UV_PROJECT_ENVIRONMENT|TMPDIR|HISTFILE|NODE_V8_COVERAGE|NODE_COMPILE_CACHE|PYTHONPYCACHEPREFIX)=([\s\S]+)$/;

/** What the variables set for a command name. */
export function assignedTouches({ words, assignments }: ShellCommand): TouchedWord[] {
  const [first] = words;
  const set = /^(?:export|declare|typeset|readonly)$/.test(first ?? '') ? words.slice(1) : [];
  const all = [...assignments, ...set];
  return all.flatMap((text) => [
    ...named(READ_BY_THEMSELVES, text).map((word) => read(word)),
    ...named(WRITTEN_IN, text).map((word) => writtenIn(word, { perhaps: true })),
    // Of any other it is likely that the program that gets it reads the file.
    ...(assignments.includes(text) && words.length > 0
      ? named(/^[^=]+=([\s\S]+)$/, text).map((word) => read(word, { perhaps: true }))
      : []),
  ]);
}

function named(pattern: RegExp, text: string): string[] {
  const file = pattern.exec(text)?.[1];
  return file === undefined ? [] : [file];
}
