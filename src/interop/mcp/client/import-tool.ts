import type { ToolAnnotations } from '../../../tool/annotations.js';
import { type DefinedTool, defineTool } from '../../../tool/define-tool.js';
import { hiddenCharactersIn, spellOutHidden } from '../../../tool/hidden-characters.js';
import { importedSchema } from './imported-schema.js';
import type { TellMcp } from './mcp-event.js';
import { McpToolError } from './mcp-tool-error.js';
import { importedName } from './tool-names.js';

/** A tool as a server lists it. Everything about it is a stranger's claim. */
export interface ListedTool {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema: unknown;
  outputSchema?: unknown;
  annotations?: Record<string, unknown> | undefined;
}

export interface ImportOptions {
  server: string;
  approvals: 'annotations' | 'always' | 'never';
  /** Asks the server. */
  call: (tool: string, args: unknown, signal: AbortSignal | undefined) => Promise<unknown>;
  tell: TellMcp;
}

const MAX_DESCRIPTION_CHARACTERS = 16_000;
const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/** @throws McpToolError naming the server and the tool when it cannot be one of ours */
export function importTool(listed: ListedTool, { server, approvals, call, tell }: ImportOptions): DefinedTool {
  const { name, title } = listed ?? {};
  if (typeof name !== 'string' || name === '')
    throw new McpToolError(server, `MCP server '${server}' lists a tool without a name`);
  const claimed = readAnnotations(listed.annotations);
  const annotations = approvals === 'always' ? withoutPromises(claimed) : claimed;
  const description =
    [listed.description, title, name].find((text) => typeof text === 'string' && text.trim() !== '') ?? name;
  const here = importedName(server, name);
  const flag = (where: 'description' | 'schema', text: unknown) => {
    const characters = hiddenCharactersIn(text);
    if (characters !== undefined) tell({ type: 'text.flagged', tool: here, where, characters });
  };
  try {
    const tool = defineTool({
      name: here,
      displayName: spellOutHidden(typeof title === 'string' && title.trim() !== '' ? title : name),
      // What a model reads is what a person would see.
      description: spellOutHidden(description).slice(0, MAX_DESCRIPTION_CHARACTERS),
      input: importedSchema(listed.inputSchema),
      ...(isObjectSchema(listed.outputSchema) ? { output: importedSchema(listed.outputSchema) } : {}),
      annotations,
      needsApproval: approvals === 'always' || (approvals === 'annotations' && asks(annotations)),
      execute: (args, ctx) => call(name, args, ctx.abortSignal),
    }) as DefinedTool;
    flag('description', [title, description]);
    flag('schema', [listed.inputSchema, listed.outputSchema]);
    return tool;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new McpToolError(server, `Cannot use tool '${name}' of MCP server '${server}': ${reason}`, { cause: error });
  }
}

/** As MCP reads them: a tool that says nothing may destroy. */
function asks({ readOnlyHint, destructiveHint }: ToolAnnotations): boolean {
  return readOnlyHint !== true && destructiveHint !== false;
}

function readAnnotations(given: Record<string, unknown> | undefined): ToolAnnotations {
  const annotations: ToolAnnotations = {};
  if (typeof given !== 'object' || given === null) return annotations;
  for (const hint of HINTS) {
    const value = given[hint];
    if (typeof value === 'boolean') annotations[hint] = value;
  }
  if (typeof given.title === 'string') annotations.title = given.title;
  return annotations;
}

/** What a server that is not trusted says of itself counts where it warns: plan mode runs what is read-only. */
function withoutPromises({ readOnlyHint, destructiveHint, ...rest }: ToolAnnotations): ToolAnnotations {
  return {
    ...rest,
    ...(readOnlyHint === false && { readOnlyHint }),
    ...(destructiveHint === true && { destructiveHint }),
  };
}

function isObjectSchema(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && (schema as { type?: unknown }).type === 'object';
}
