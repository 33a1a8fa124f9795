import { flag } from '../checks/kinds.js';
import { checkOptions, shapeOf } from '../checks/options.js';
import { createEditFileTool } from './files/edit-file.js';
import type { EditingToolOptions } from './files/editing-tool-options.js';
import { createListDirTool } from './files/list-dir.js';
import { createReadFileTool } from './files/read-file.js';
import { createWriteFileTool } from './files/write-file.js';
import { createSearchTools } from './search-tools.js';

export interface FsToolsOptions extends EditingToolOptions {
  /** Leaves out `write_file` and `edit_file`. Default false. */
  readOnly?: boolean;
}

const OPTIONS = shapeOf<FsToolsOptions>({ readOnly: flag, needsApproval: flag });

/**
 * Makes the file tools: `read_file`, `write_file`, `edit_file`, `list_dir`, and the search tools `glob` and `grep`.
 * All of them need a sandbox and work through it alone.
 *
 * @throws TypeError for an unknown option
 * @example
 * ```ts
 * const host = createToolHost({ workspace: '.', sandbox: 'isolate', tools: createFsTools({ readOnly: true }) });
 * ```
 */
export function createFsTools(options: FsToolsOptions = {}) {
  checkOptions('createFsTools', options, OPTIONS);
  const editing = options.readOnly === true ? [] : [createWriteFileTool(options), createEditFileTool(options)];
  return [createReadFileTool(), ...editing, createListDirTool(), ...createSearchTools()];
}
