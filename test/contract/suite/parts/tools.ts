import type { Contract } from '../contract.js';
import { describeEditTool } from './tools/edit-file.js';
import { describeListTool } from './tools/list-dir.js';
import { describeReadTool } from './tools/read-file.js';
import { describeSearchTools } from './tools/search.js';
import { describeShellTool } from './tools/shell.js';
import { describeWriteTool } from './tools/write-file.js';

/** The built-in tools over this backend: reading, writing, editing, listing, searching and running, as a model does it. */
export function describeTools(contract: Contract): void {
  contract.describe('tools', () => {
    describeWriteTool(contract);
    describeReadTool(contract);
    describeEditTool(contract);
    describeListTool(contract);
    describeSearchTools(contract);
    describeShellTool(contract);
  });
}
