import type { ContentPart } from '../../tool/content.js';
import { linkText } from '../link-text.js';
import type { AiSdkContentPart } from './types.js';

/** Our parts as parts of a tool result. Version 6 has its own names for files, which 7 calls deprecated. */
export function toAiSdkContent(parts: readonly ContentPart[], version: 6 | 7): AiSdkContentPart[] {
  return parts.flatMap((part) => toAiSdkPart(part, version));
}

/**
 * What a tool's own `toModelOutput` made, as our parts; `undefined` for what is no content (JSON, a denial). Parts that
 * only point to something (a URL, a provider's file) become links; one of no right shape becomes text, as JSON.
 */
export function fromModelOutput(output: unknown): ContentPart[] | undefined {
  const { type, value } = (output ?? {}) as { type?: unknown; value?: unknown };
  if (type === 'text' && typeof value === 'string') return [{ type: 'text', text: value }];
  if (type !== 'content' || !Array.isArray(value)) return undefined;
  return value.map(fromAiSdkPart);
}

function toAiSdkPart(part: ContentPart, version: 6 | 7): AiSdkContentPart[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text }];
    case 'link':
      return [{ type: 'text', text: linkText(part) }];
    case 'source':
      return [{ type: 'text', text: `${part.title} (${part.source})` }, ...toAiSdkContent(part.content, version)];
    default:
      return [filePart(part, version)];
  }
}

function filePart(part: Extract<ContentPart, { data: string }>, version: 6 | 7): AiSdkContentPart {
  const { data, mimeType: mediaType } = part;
  const filename = part.type === 'file' && part.name !== undefined ? { filename: part.name } : {};
  if (version === 7) return newFilePart({ type: 'file', data: { type: 'data', data }, mediaType, ...filename });
  return part.type === 'image'
    ? { type: 'image-data', data, mediaType }
    : { type: 'file-data', data, mediaType, ...filename };
}

interface NewFilePart {
  type: 'file';
  data: { type: 'data'; data: string };
  mediaType: string;
  filename?: string;
}

/** Version 6 has no type for it, and never gets it. */
function newFilePart(part: NewFilePart): AiSdkContentPart {
  return part as unknown as AiSdkContentPart;
}

interface AnyPart {
  type?: unknown;
  text?: unknown;
  data?: unknown;
  url?: unknown;
  fileId?: unknown;
  mediaType?: unknown;
  filename?: unknown;
}

function fromAiSdkPart(given: unknown): ContentPart {
  const part = (given ?? {}) as AnyPart;
  if (part.type === 'text' && typeof part.text === 'string') return { type: 'text', text: part.text };
  const file = fileOf(part);
  if (file !== undefined) return file;
  const pointer = pointerOf(part);
  if (pointer !== undefined) return linkOf(part, pointer);
  return { type: 'text', text: JSON.stringify(given) ?? 'null' };
}

function fileOf(part: AnyPart): ContentPart | undefined {
  const { type, text, data } = typeof part.data === 'object' && part.data !== null ? (part.data as AnyPart) : part;
  if (part.type === 'file' && type === 'text' && typeof text === 'string') return { type: 'text', text };
  const bytes = data instanceof Uint8Array ? Buffer.from(data).toString('base64') : data;
  if (typeof bytes !== 'string') return undefined;
  const mimeType = typeof part.mediaType === 'string' ? part.mediaType : 'application/octet-stream';
  const kind = mimeType.split('/')[0];
  if (kind === 'image' || kind === 'audio') return { type: kind, mimeType, data: bytes };
  const name = nameOf(part);
  return { type: 'file', mimeType, data: bytes, ...(name === undefined ? {} : { name }) };
}

function linkOf(part: AnyPart, uri: string): ContentPart {
  const mimeType = typeof part.mediaType === 'string' ? { mimeType: part.mediaType } : {};
  return { type: 'link', uri, name: nameOf(part) ?? uri, ...mimeType };
}

function pointerOf({ url, fileId, data }: AnyPart): string | undefined {
  const nested = (typeof data === 'object' && data !== null ? data : {}) as { url?: unknown; reference?: unknown };
  const pointer = url ?? fileId ?? nested.url ?? nested.reference;
  if (typeof pointer === 'object' && pointer !== null && !(pointer instanceof URL)) return JSON.stringify(pointer);
  return pointer === undefined ? undefined : String(pointer);
}

function nameOf({ filename }: AnyPart): string | undefined {
  return typeof filename === 'string' && filename !== '' ? filename : undefined;
}
