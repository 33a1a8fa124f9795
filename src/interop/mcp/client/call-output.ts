import type { ContentPart } from '../../../tool/content.js';
import { toContentParts } from '../content-blocks.js';
import { McpToolError } from './mcp-tool-error.js';
import { toldError } from './told-error.js';

interface CallResult {
  content?: unknown;
  structuredContent?: unknown;
  isError?: unknown;
  _meta?: Record<string, unknown>;
}

/**
 * What a server answered, as a tool's output: its structured content; else its text, when it is nothing but text; else
 * `{ content }` with every part of it.
 * @throws McpToolError with the server's own text when it says that the call failed
 */
export function callOutput(server: string, tool: string, answer: unknown): unknown {
  const { content, structuredContent, isError, _meta } = (answer ?? {}) as CallResult;
  const parts = toContentParts(Array.isArray(content) ? content : []);
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (isError === true) throw failure(server, tool, { parts, text: texts.join('\n'), meta: _meta });
  if (structuredContent !== undefined) return structuredContent;
  return texts.length === parts.length ? texts.join('\n') : { content: parts };
}

/** Parts that are no text stay with the error. Another host of our kind says what kind of failure it was. */
function failure(
  server: string,
  tool: string,
  { parts, text, meta }: { parts: ContentPart[]; text: string; meta: CallResult['_meta'] },
): McpToolError {
  const ours = toldError(meta);
  if (ours !== undefined) {
    // Its first part is the error as text.
    const others = parts.slice(1);
    return new McpToolError(server, ours.message, { toolError: ours, ...(others.length > 0 && { content: others }) });
  }
  const message = text || `Tool '${tool}' of MCP server '${server}' failed without saying why`;
  return new McpToolError(server, message, parts.every(({ type }) => type === 'text') ? {} : { content: parts });
}
