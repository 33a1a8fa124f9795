import type { ToolDescriptor } from './descriptor.js';
import type { NamedTool, ToolRecord, ToolRegistry, ToolSource, ToolsOption } from './registry.js';

/**
 * Flattens whatever holds tools to pairs of name and descriptor, in order. Names may repeat.
 * @throws TypeError for an entry that is neither a tool nor something that holds tools.
 */
export function toolEntries(tools: ToolsOption | undefined): [string, ToolDescriptor][] {
  if (tools === undefined) return [];
  if (typeof tools !== 'object' || tools === null) throw notATool(tools);
  if (isList(tools)) return tools.flatMap(toolEntries);
  if (isSource(tools)) return [];
  if (isRegistry(tools)) return Object.entries(tools.getAll());
  if (isNamedTool(tools)) return [[tools.name, tools]];
  if (looksLikeDescriptor(tools)) throw unnamed();
  return Object.entries(tools).map(([name, descriptor]) => {
    if (typeof descriptor !== 'object' || descriptor === null) throw notATool(descriptor, name);
    return [name, descriptor];
  });
}

/** Those among them that register their tools themselves. */
export function toolSources(tools: ToolsOption | undefined): ToolSource[] {
  if (typeof tools !== 'object' || tools === null) return [];
  if (isList(tools)) return tools.flatMap(toolSources);
  return isSource(tools) ? [tools] : [];
}

function isList(tools: ToolsOption): tools is readonly ToolsOption[] {
  return Array.isArray(tools);
}

/** By shape, so that a registry of another copy of the package counts. */
function isRegistry(tools: object): tools is ToolRegistry {
  return typeof (tools as Partial<ToolRegistry>).getAll === 'function';
}

function isSource(tools: NamedTool | ToolRecord | ToolRegistry | ToolSource): tools is ToolSource {
  return typeof (tools as Partial<ToolSource>).attach === 'function' && !('name' in tools);
}

function isNamedTool(tools: NamedTool | ToolRecord): tools is NamedTool {
  return typeof tools.name === 'string';
}

/** A record of tools holds objects only; a descriptor holds a function or a text. */
function looksLikeDescriptor(tools: ToolRecord): boolean {
  return Object.values(tools).some((member) => typeof member === 'function' || typeof member === 'string');
}

function unnamed(): TypeError {
  return new TypeError(
    "Cannot register a tool: it has no 'name'. Make it with defineTool(), or use the record form: { my_tool: descriptor }",
  );
}

function notATool(given: unknown, name?: string): TypeError {
  const entry = name === undefined ? 'an entry' : `the entry '${name}'`;
  const kind = given === null ? 'null' : typeof given;
  return new TypeError(
    `Cannot register tools: ${entry} must be a tool or a record of tools, but is ${kind}. Make tools with defineTool()`,
  );
}
