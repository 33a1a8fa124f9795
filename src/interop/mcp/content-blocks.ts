import type { ContentPart } from '../../tool/content.js';
import { isContentPart } from '../../tool/is-content-part.js';

type Resource = { uri: string; mimeType?: string } & ({ text: string } | { blob: string });

/** A content block of an MCP result, as it is on the wire. */
export type ContentBlock =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: Resource }
  | LinkBlock;

interface LinkBlock {
  type: 'resource_link';
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  size?: number;
}

const META = 'mcp';

/** Our parts as MCP blocks. */
export function toContentBlocks(parts: readonly ContentPart[]): ContentBlock[] {
  return parts.map((part) => ({ ...part.meta?.[META], ...toContentBlock(part) }));
}

/**
 * MCP blocks as our parts: what ours have no word for (annotations, `_meta`) is carried along. A block of a kind that is
 * not known, or of no right shape, becomes text: nothing a server says is dropped.
 */
export function toContentParts(blocks: readonly unknown[]): ContentPart[] {
  return blocks.map((block) => {
    const part = toContentPart((block ?? {}) as Record<string, unknown>);
    return part === undefined || !isContentPart(part) ? { type: 'text', text: JSON.stringify(block) ?? 'null' } : part;
  });
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
    case 'link': {
      const { meta, type, uri, ...said } = part;
      return { type: 'resource_link', uri: asUri(uri), ...said };
    }
    case 'source': {
      const { source, title, content, mimeType } = part;
      const type = mimeType === undefined ? {} : { mimeType };
      if (content.length === 0) return { type: 'resource_link', uri: asUri(source), name: title, ...type };
      const text = content.map((inner) => (inner.type === 'text' ? inner.text : JSON.stringify(inner))).join('\n');
      return { type: 'resource', resource: { uri: asUri(source), ...type, text } };
    }
  }
}

/** Unchecked: a server may say anything. */
function toContentPart(block: Record<string, unknown>): ContentPart | undefined {
  switch (block.type) {
    case 'text': {
      const { type, text, ...rest } = block;
      return { type, text, ...metaOf(rest) } as ContentPart;
    }
    case 'image':
    case 'audio': {
      const { type, data, mimeType, ...rest } = block;
      return { type, data, mimeType, ...metaOf(rest) } as ContentPart;
    }
    case 'resource': {
      const { type, resource, ...rest } = block;
      return resourcePart((resource ?? {}) as Record<string, unknown>, rest);
    }
    case 'resource_link': {
      const { type, uri, name, title, description, mimeType, size, ...rest } = block;
      const said = defined({ title, description, mimeType, size });
      return { type: 'link', uri, name, ...said, ...metaOf(rest) } as ContentPart;
    }
    default:
      return undefined;
  }
}

function resourcePart(resource: Record<string, unknown>, rest: Record<string, unknown>): ContentPart {
  const { uri, mimeType, text, blob } = resource;
  if (blob !== undefined) {
    const type = mimeType ?? 'application/octet-stream';
    return { type: 'file', data: blob, mimeType: type, name: uri, ...metaOf(rest) } as ContentPart;
  }
  const content = [{ type: 'text', text }];
  return { type: 'source', source: uri, title: uri, ...defined({ mimeType }), content, ...metaOf(rest) } as ContentPart;
}

function metaOf(rest: Record<string, unknown>): Pick<ContentPart, 'meta'> {
  return Object.keys(rest).length === 0 ? {} : { meta: { [META]: rest } };
}

function defined(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function asUri(name: string): string {
  return /^[a-z][a-z0-9+.-]*:/i.test(name) ? name : `file:///${encodeURI(name.replace(/^\/+/, ''))}`;
}
