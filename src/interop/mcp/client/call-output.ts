import { isErrorCode } from '../../../sandbox/errors.js';
import { isToolErrorKind, type ToolErrorResult } from '../../../tool/result.js';
import { toContentParts } from '../content-blocks.js';
import { McpToolError } from './mcp-tool-error.js';

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
  if (isError === true) throw failure(server, tool, { text: texts.join('\n'), meta: _meta });
  if (structuredContent !== undefined) return structuredContent;
  return texts.length === parts.length ? texts.join('\n') : { content: parts };
}

/** Another host of our kind says what kind of failure it was. */
function failure(server: string, tool: string, said: { text: string; meta: CallResult['_meta'] }): McpToolError {
  const ours = said.meta?.['caisson/error'] as Partial<ToolErrorResult> | undefined;
  if (typeof ours === 'object' && ours !== null && isToolErrorKind(ours.kind) && typeof ours.message === 'string') {
    const code = isErrorCode(ours.code) ? { code: ours.code } : {};
    return new McpToolError(server, ours.message, { kind: ours.kind, ...code });
  }
  return new McpToolError(server, said.text || `Tool '${tool}' of MCP server '${server}' failed without saying why`);
}
