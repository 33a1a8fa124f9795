import { hostPath } from '../paths/call-path.js';
import { type Links, realPath } from '../paths/links.js';
import { type AskedPath, askedPath } from '../paths/path-pattern.js';
import { resolvePath } from '../paths/resolve-path.js';
import type { ShellCommand } from '../shell/syntax/shell-command.js';
import { touchedWords } from '../shell/touches/touched-words.js';

/** A path that a call touches, in every reading: by directory it may run in, by its text and after links. */
export interface Touch {
  readings: readonly AskedPath[];
  access: 'read' | 'write';
  recursive: boolean;
  /** Of what is below it only what has names like this one. */
  only?: string;
  /** Something in it is touched that has no name here. */
  inside: boolean;
  /** Perhaps no path at all. */
  perhaps: boolean;
  /** A pattern for what git keeps: never its own directory. */
  tracked?: boolean;
  /** Only what is there changes or goes away: nothing new comes to have a name. */
  existing: boolean;
  /** By this command of a shell call. */
  command?: ShellCommand;
  /** As the call spells it. */
  word: string;
}

export interface TouchOptions {
  links: Links;
  /** The workspace's directory, for commands that run on the host. */
  hostRoot?: string | undefined;
  /** A path of the host's that means the workspace is read as that. */
  toSandbox: (path: string) => string;
}

/** What one command touches. */
export function touchesOf(command: ShellCommand, options: TouchOptions): Touch[] {
  const { hostRoot } = options;
  const directories =
    hostRoot === undefined
      ? command.directories
      : command.directories.map((directory) => hostPath(directory, hostRoot));
  return touchedWords(command).map((touched) => ({
    readings: readingsOf(
      directories.map((directory) => resolvePath(directory, touched.word)),
      options,
    ),
    recursive: false,
    inside: false,
    perhaps: false,
    existing: false,
    ...touched,
    command,
  }));
}

/** Each path by its text and after links, once. */
export function readingsOf(paths: readonly string[], { links, toSandbox }: TouchOptions): AskedPath[] {
  const all = new Set<string>();
  for (const path of paths) {
    const here = toSandbox(path);
    all.add(here);
    all.add(realPath(here, links));
  }
  return [...all].map(askedPath);
}
