import { callPath, type HostPlace, hostPath, WORKSPACE } from '../paths/call-path.js';
import { type Links, NO_LINKS } from '../paths/links.js';
import { resolvePath } from '../paths/resolve-path.js';
import { canonicalToolName, isFileTool, SHELL_TOOL } from '../rules/tool-names.js';
import { readShellCommand } from '../shell/read-shell-command.js';
import type { ShellReading } from '../shell/syntax/shell-command.js';
import { readingsOf, type Touch, touchesOf } from './touch.js';

/** One tool call, as rules look at it. */
export interface PermissionCall {
  toolName: string;
  args: unknown;
}

export interface FactOptions {
  hostRoot?: string | undefined;
  /** For calls that run on the host itself. */
  host?: HostPlace | undefined;
  links?: Links;
}

/** What tools call the path that they work on: ours `path`, Claude Code's and others by the rest. */
const PATH_ARGUMENTS = ['path', 'file_path', 'filePath', 'notebook_path'] as const;
/** Without a path these look through the working directory. */
const SEARCHES: ReadonlySet<string> = new Set(['list_dir', 'glob', 'grep']);

const UNREADABLE: ShellReading = {
  commands: [],
  unreadable: 'the command is no text',
  malformed: true,
  functions: new Set(),
};

/** What rules ask of a call, worked out once and only when asked. */
export class CallFacts {
  /** As rules spell it: a tool that is itself called by an alias is met by the rules on what that stands for. */
  readonly toolName: string;
  readonly args: unknown;
  readonly #hostRoot: string | undefined;
  readonly #host: HostPlace | undefined;
  readonly #links: Links;
  #reading: ShellReading | undefined;
  #touches: readonly Touch[] | undefined;

  /** @throws TypeError for a call without a tool's name: no rule would meet it, and it would pass for harmless */
  constructor(call: PermissionCall, { hostRoot, host, links = NO_LINKS }: FactOptions = {}) {
    if (typeof call.toolName !== 'string') {
      throw new TypeError(`Cannot decide on the call: 'toolName' must be a tool's name, not ${typeof call.toolName}`);
    }
    this.toolName = canonicalToolName(call.toolName);
    this.args = call.args;
    this.#hostRoot = hostRoot;
    this.#host = host;
    this.#links = links;
  }

  /** The command of a shell call; `undefined` for other tools. */
  get shell(): ShellReading | undefined {
    if (this.toolName !== SHELL_TOOL) return undefined;
    this.#reading ??= this.#readShell();
    return this.#reading;
  }

  /** The paths that it touches: the one of a file tool, those of a shell command. */
  get touches(): readonly Touch[] {
    this.#touches ??= this.shell === undefined ? this.#fileTouches() : this.#shellTouches(this.shell);
    return this.#touches;
  }

  /** Whether a file tool's path is no text, or is not found: then no rule is known not to apply. */
  get pathUnknown(): boolean {
    return isFileTool(this.toolName) && this.#filePaths() === undefined;
  }

  #readShell(): ShellReading {
    const command = argument(this.args, 'command');
    const cwd = argument(this.args, 'cwd');
    if (typeof command !== 'string') return UNREADABLE;
    const from = this.#resolve(typeof cwd === 'string' ? cwd : '.');
    const host = this.#host;
    if (host === undefined) return readShellCommand(command, { cwd: this.#toSandbox(from) });
    const { commands, ...reading } = readShellCommand(command, { cwd: hostPath(from, host.root), home: host.home });
    return {
      ...reading,
      commands: commands.map((one) => ({
        ...one,
        directories: one.directories.map((directory) => this.#toSandbox(directory)),
      })),
    };
  }

  #shellTouches({ commands }: ShellReading): Touch[] {
    const options = {
      links: this.#links,
      hostRoot: this.#host?.root,
      toSandbox: (path: string) => this.#toSandbox(path),
    };
    return commands.flatMap((command) => touchesOf(command, options));
  }

  #fileTouches(): Touch[] {
    const paths = isFileTool(this.toolName) ? this.#filePaths() : undefined;
    const options = { links: this.#links, toSandbox: (text: string) => this.#toSandbox(text) };
    return (paths ?? []).map((path) => ({
      readings: readingsOf(this.#meanings(path.normalize('NFC')), options),
      access: this.toolName === 'write_file' ? 'write' : 'read',
      recursive: this.toolName === 'grep',
      inside: false,
      perhaps: false,
      existing: false,
      word: path,
    }));
  }

  #filePaths(): string[] | undefined {
    const given = PATH_ARGUMENTS.map((name) => argument(this.args, name)).filter((path) => path != null);
    if (given.length === 0) return SEARCHES.has(this.toolName) ? ['.'] : undefined;
    return given.every((path) => typeof path === 'string') ? given : undefined;
  }

  /** A tool of the host's may take `~` for the home, or for a name. */
  #meanings(path: string): string[] {
    const home = this.#host?.home;
    const named = this.#resolve(path);
    return home !== undefined && /^~(?:\/|$)/.test(path) ? [named, resolvePath(home, `.${path.slice(1)}`)] : [named];
  }

  #resolve(path: string): string {
    return resolvePath(this.#host?.root ?? WORKSPACE, path);
  }

  #toSandbox(path: string): string {
    return this.#hostRoot === undefined ? path : callPath(path, this.#hostRoot);
  }
}

/** An own property of the arguments. */
export function argument(args: unknown, name: string): unknown {
  if (typeof args !== 'object' || args === null || !Object.hasOwn(args, name)) return undefined;
  return (args as Record<string, unknown>)[name];
}
