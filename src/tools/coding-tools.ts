import { anything, flag } from '../checks/kinds.js';
import { checkOptions, shapeOf } from '../checks/options.js';
import { createFsTools, type FsToolsOptions } from './fs-tools.js';
import { createShellTool, type ShellToolOptions } from './shell-tool.js';

export interface CodingToolsOptions extends FsToolsOptions {
  /** Options of `shell`; `false` leaves it out. With `readOnly` it is left out unless options are given: a shell writes. */
  shell?: ShellToolOptions | false;
}

/** `shell` is its own tool's to check. */
const OPTIONS = shapeOf<CodingToolsOptions>({ readOnly: flag, needsApproval: flag, shell: anything });

/** Makes everything a coding agent needs: the tools of `createFsTools()` and `shell`. @throws TypeError for an unknown option */
export function codingTools(options: CodingToolsOptions = {}) {
  checkOptions('codingTools', options, OPTIONS);
  const { shell: _, ...files } = options;
  const shell = options.shell ?? (options.readOnly === true ? false : shellOptions(options));
  return [...createFsTools(files), ...(shell === false ? [] : [createShellTool(shell)])];
}

function shellOptions({ needsApproval }: CodingToolsOptions): ShellToolOptions {
  return needsApproval === undefined ? {} : { needsApproval };
}
