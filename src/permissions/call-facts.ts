import type { CallPath } from './call-path.js';
import { readCallPath } from './call-path.js';
import { readShellCommand } from './shell/read-shell-command.js';
import type { ShellReading } from './shell/shell-command.js';
import { isFileTool, SHELL_TOOL } from './tool-names.js';

/** One tool call, as rules look at it. */
export interface PermissionCall {
  toolName: string;
  args: unknown;
}

const UNREADABLE: ShellReading = { commands: [], unreadable: true };

/** What rules ask of a call, worked out once and only when asked. */
export class CallFacts {
  readonly toolName: string;
  readonly args: unknown;
  readonly hostRoot: string | undefined;
  #reading: ShellReading | undefined;
  #path: CallPath | 'unknown' | undefined;

  constructor(call: PermissionCall, hostRoot: string | undefined) {
    this.toolName = call.toolName;
    this.args = call.args;
    this.hostRoot = hostRoot;
  }

  /** The command of a shell call; `undefined` for other tools. */
  get shell(): ShellReading | undefined {
    if (this.toolName !== SHELL_TOOL) return undefined;
    if (this.#reading === undefined) {
      const command = argument(this.args, 'command');
      this.#reading = typeof command === 'string' ? readShellCommand(command) : UNREADABLE;
    }
    return this.#reading;
  }

  /** The path of a file tool's call; `unknown` when it has none that can be read. */
  get path(): CallPath | 'unknown' | undefined {
    if (!isFileTool(this.toolName)) return undefined;
    if (this.#path === undefined) {
      const path = argument(this.args, 'path') ?? '.';
      this.#path = typeof path === 'string' ? readCallPath(path, this.hostRoot) : 'unknown';
    }
    return this.#path;
  }
}

/** An own property of the arguments. */
export function argument(args: unknown, name: string): unknown {
  if (typeof args !== 'object' || args === null || !Object.hasOwn(args, name)) return undefined;
  return (args as Record<string, unknown>)[name];
}
