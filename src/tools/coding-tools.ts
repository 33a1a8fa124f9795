import { createFsTools, type FsToolsOptions } from './fs-tools.js';
import { createShellTool, type ShellToolOptions } from './shell-tool.js';

export interface CodingToolsOptions extends FsToolsOptions {
  /** Options of `shell`; `false` leaves it out. With `readOnly` it is left out unless options are given: a shell writes. */
  shell?: ShellToolOptions | false;
}

/** Makes everything a coding agent needs: the tools of `createFsTools()` and `shell`. */
export function codingTools(options: CodingToolsOptions = {}) {
  const shell = options.shell ?? (options.readOnly === true ? false : shellOptions(options));
  return [...createFsTools(options), ...(shell === false ? [] : [createShellTool(shell)])];
}

function shellOptions({ needsApproval }: CodingToolsOptions): ShellToolOptions {
  return needsApproval === undefined ? {} : { needsApproval };
}
