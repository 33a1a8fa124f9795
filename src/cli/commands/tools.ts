import { Command } from 'commander';
import { createToolHost } from '../../host/create-tool-host.js';
import type { ToolListing } from '../../host/types.js';
import { codingTools } from '../../tools/coding-tools.js';
import { color } from '../terminal/color.js';
import { safeJson } from '../terminal/escape.js';
import { print } from '../terminal/print.js';

const EXAMPLES = `
Examples:
  $ caisson tools
  $ caisson tools --json | jq '.[] | select(.name == "grep").inputSchema'`;

/** `caisson tools`: what `caisson call` can call. */
export function toolsCommand(): Command {
  return new Command('tools')
    .description('list the built-in tools and what each takes')
    .option('--json', 'print the list as a model gets it, with JSON Schemas')
    .addHelpText('after', EXAMPLES)
    .action(async (options: { json?: boolean }) => {
      await using host = createToolHost({ tools: codingTools() });
      const tools = host.tools();
      print(options.json ? safeJson(tools, 2) : tools.map(toolText).join('\n\n'));
    });
}

function toolText(tool: ToolListing): string {
  const required = new Set(Array.isArray(tool.inputSchema.required) ? tool.inputSchema.required : []);
  const properties = Object.entries((tool.inputSchema.properties ?? {}) as Record<string, { description?: string }>);
  const summary = tool.description.split('\n')[0] ?? '';
  const lines = properties.map(([name, property]) => {
    const label = required.has(name) ? name : `[${name}]`;
    return `  ${label.padEnd(20)} ${property.description ?? ''}`.trimEnd();
  });
  return [`${color.bold(tool.name)}  ${summary}`, ...lines].join('\n');
}
