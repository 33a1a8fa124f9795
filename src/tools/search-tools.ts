import { createGlobTool } from './search/glob-tool.js';
import { createGrepTool } from './search/grep-tool.js';

/** Makes the tools that look for files: `glob` and `grep`. They need a sandbox and change nothing. */
export function createSearchTools() {
  return [createGlobTool(), createGrepTool()];
}
