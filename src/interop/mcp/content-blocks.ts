import type { ContentPart } from '../../tool/content.js';

/** A content block of an MCP result, as it is on the wire. */
export type ContentBlock =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: { uri: string; mimeType?: string; text: string } }
  | { type: 'resource'; resource: { uri: string; mimeType?: string; blob: string } }
  | { type: 'resource_link'; uri: string; name: string; title?: string; description?: string; mimeType?: string };

/** Our parts as MCP blocks. */
export function toContentBlocks(parts: readonly ContentPart[]): ContentBlock[] {
  return parts.map(toContentBlock);
}

/** MCP blocks as our parts. A block of a kind that is not known becomes text: nothing a server says is dropped. */
export function toContentParts(blocks: readonly unknown[]): ContentPart[] {
  return blocks.map((block) => toContentPart(block as ContentBlock));
}

/** The parts of a tool's output that is `{ content: [parts] }` and nothing else, as imported MCP tools give it. */
export function partsOf(output: unknown): ContentPart[] | undefined {
  if (typeof output !== 'object' || output === null) return undefined;
  const { content, ...others } = output as { content?: unknown };
  if (!Array.isArray(content) || content.length === 0 || Object.keys(others).length > 0) return undefined;
  return content.every(isContentPart) ? content : undefined;
}

function toContentBlock(part: ContentPart): ContentBlock {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image':
    case 'audio':
      return { type: part.type, data: part.data, mimeType: part.mimeType };
    case 'file':
      return {
        type: 'resource',
        resource: { uri: asUri(part.name ?? 'file'), mimeType: part.mimeType, blob: part.data },
      };
    case 'source': {
      const text = part.content.map((inner) => (inner.type === 'text' ? inner.text : JSON.stringify(inner))).join('\n');
      if (part.content.length === 0) return { type: 'resource_link', uri: asUri(part.source), name: part.title };
      return { type: 'resource', resource: { uri: asUri(part.source), text } };
    }
  }
}

function toContentPart(block: ContentBlock): ContentPart {
  switch (block?.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
    case 'audio':
      return { type: block.type, data: block.data, mimeType: block.mimeType };
    case 'resource': {
      const { uri, mimeType } = block.resource;
      if ('blob' in block.resource) {
        return {
          type: 'file',
          data: block.resource.blob,
          mimeType: mimeType ?? 'application/octet-stream',
          name: uri,
        };
      }
      return { type: 'source', source: uri, title: uri, content: [{ type: 'text', text: block.resource.text }] };
    }
    case 'resource_link': {
      const title = block.title ?? block.name;
      return {
        type: 'source',
        source: block.uri,
        title: block.description === undefined ? title : `${title}: ${block.description}`,
        content: [],
      };
    }
    default:
      return { type: 'text', text: JSON.stringify(block) ?? 'null' };
  }
}

function isContentPart(value: unknown): value is ContentPart {
  if (typeof value !== 'object' || value === null) return false;
  const part = value as Record<string, unknown>;
  switch (part.type) {
    case 'text':
      return typeof part.text === 'string';
    case 'image':
    case 'audio':
    case 'file':
      return typeof part.data === 'string' && typeof part.mimeType === 'string';
    case 'source':
      return (
        typeof part.source === 'string' &&
        typeof part.title === 'string' &&
        Array.isArray(part.content) &&
        part.content.every(isContentPart)
      );
    default:
      return false;
  }
}

function asUri(name: string): string {
  return /^[a-z][a-z0-9+.-]*:/i.test(name) ? name : `file:///${encodeURI(name.replace(/^\/+/, ''))}`;
}
