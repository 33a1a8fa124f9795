import type { Tool } from '@modelcontextprotocol/server';
import type { ToolHost, ToolListing } from '../../../host/types.js';
import type { PermissionRule } from '../../../permissions/rules/rule.js';
import { canonicalToolName, coveringTools } from '../../../permissions/rules/tool-names.js';
import { couldMatch } from '../../../permissions/text/wildcard.js';
import type { ToolAnnotations } from '../../../tool/annotations.js';
import { hiddenNote } from './call-result.js';

/** The host's tools as an MCP client sees them. */
export function listMcpTools(host: ToolHost): Tool[] {
  return host.tools().map((tool) => toMcpTool(host, tool));
}

function toMcpTool(host: ToolHost, { name, displayName, description, inputSchema, outputSchema }: ToolListing): Tool {
  const annotations = annotationsOf(host, name);
  const sandbox = sandboxNote(host, name);
  const notes = {
    ...(sandbox && { 'caisson/sandbox': sandbox }),
    ...hiddenNote([displayName, description, inputSchema]),
  };
  return {
    name,
    ...(displayName === name ? {} : { title: displayName }),
    description,
    inputSchema: inputSchema as Tool['inputSchema'],
    ...(outputSchema === undefined ? {} : { outputSchema: outputSchema as NonNullable<Tool['outputSchema']> }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(Object.keys(notes).length === 0 ? {} : { _meta: notes }),
  };
}

/** What a tool says of itself, except where the host knows better. */
function annotationsOf(host: ToolHost, name: string): ToolAnnotations | undefined {
  const tool = host.registry.resolve(name);
  const annotations: ToolAnnotations = { ...tool?.annotations };
  if (mayAsk(host, name)) Object.assign(annotations, { readOnlyHint: false, destructiveHint: true });
  if (tool?.requiresSandbox === true && host.sandbox?.capabilities.network === 'none')
    annotations.openWorldHint = false;
  return Object.keys(annotations).length === 0 ? undefined : annotations;
}

/** Whether some call of the tool waits for a person: clients run a tool that says it is harmless without a look. */
function mayAsk({ registry, permissions }: ToolHost, name: string): boolean {
  const { needsApproval } = registry.resolve(name) ?? {};
  const ofTool = permissions.rules.filter((rule) => isAbout(rule, name));
  const isAllowed = ofTool.some(
    ({ effect, command, path, args, domain }) =>
      effect === 'allow' && [command, path, args, domain].every((condition) => condition === undefined),
  );
  if (ofTool.some(({ effect }) => effect === 'ask')) return true;
  if (isAllowed) return false;
  return permissions.default === 'ask' || (needsApproval !== undefined && needsApproval !== false);
}

/** A rule may name tools by a pattern, and one with a path holds for the tools that do the same to it. */
function isAbout({ tool, path, effect }: PermissionRule, name: string): boolean {
  const canonical = canonicalToolName(name);
  if (couldMatch(tool, canonical)) return true;
  return effect === 'ask' && path !== undefined && coveringTools(canonical).some((other) => other === tool);
}

function sandboxNote(host: ToolHost, name: string): { required: true; backend?: string } | undefined {
  if (host.registry.resolve(name)?.requiresSandbox !== true) return undefined;
  return { required: true, ...(host.sandbox === undefined ? {} : { backend: host.sandbox.name }) };
}
