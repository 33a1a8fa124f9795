import { realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** With `seesHost` the text was written on the host: directories that a sandbox has too are then the host's own. */
export type MessageCleaner = (message: string, seesHost: boolean) => string;

/** What is longer is cut anyway before anybody reads it. */
const MAX_CHARACTERS = 10_000;

/** Lines as an engine writes them below an error: `    at run (file:///srv/app.js:3:9)`. */
const FRAME = /\n[ \t]+at (?:[^\n]*:\d+\)?|[^\n]*\((?:native|index \d+|<anonymous>)\)|(?:async )?<anonymous>)(?=\n|$)/g;

/** A path that stands in quotes may hold blanks. */
const QUOTED = /(['"`])((?:file:\/\/)?\/[^\n'"`]*)\1/g;
const BARE = /(?<![\w./~:-])(?:file:\/\/)?\/[^\s'"`<>()[\]{}|,;]+/g;

/**
 * Makes what takes stack frames and the host's own paths out of an error message before a model reads it. A path at or
 * below the workspace becomes one below `/workspace`; one below the home, temporary or working directory, in
 * `node_modules`, or written as a `file:` URL becomes its last name. Other paths stay.
 */
export function createMessageCleaner(workspace: string | undefined): MessageCleaner {
  const roots = workspace === undefined ? [] : spellings(workspace);
  const shared = [...spellings(homedir()), ...spellings(process.cwd())];
  const temporary = spellings(tmpdir());
  return (message, seesHost) => {
    if (!message.includes('/')) return message.replace(FRAME, '');
    const hidden = seesHost ? [...shared, ...temporary] : shared.filter((path) => path !== SANDBOX_HOME);
    const clean = (path: string) => cleanPath(path, roots, hidden);
    return message
      .slice(0, MAX_CHARACTERS)
      .replace(FRAME, '')
      .replace(QUOTED, (_, quote: string, path: string) => quote + clean(path) + quote)
      .replace(BARE, clean);
  };
}

/** What commands see as their home in every sandbox. */
const SANDBOX_HOME = '/home/agent';

function cleanPath(given: string, roots: readonly string[], hidden: readonly string[]): string {
  const path = given.startsWith('file://') ? pathOfUrl(given) : given;
  const root = roots.find((one) => isAtOrBelow(path, one));
  if (root !== undefined) return `/workspace${path.slice(root.length)}`;
  if (isAtOrBelow(path, '/workspace')) return path;
  const isPrivate = path !== given || path.includes('/node_modules/') || hidden.some((one) => isAtOrBelow(path, one));
  return isPrivate ? basename(path) : path;
}

function pathOfUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return url.slice('file://'.length);
  }
}

/** As it was given and with its links resolved; nothing for the root, which is no place of its own. */
function spellings(directory: string): string[] {
  const path = resolve(directory);
  const paths = [path];
  try {
    paths.push(realpathSync(path));
  } catch {
    // It does not exist, or not yet.
  }
  return [...new Set(paths)].filter((one) => one !== '/');
}

function isAtOrBelow(path: string, parent: string): boolean {
  return path === parent || (path.startsWith(parent) && '/:'.includes(path[parent.length] ?? ' '));
}
