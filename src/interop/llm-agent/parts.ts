import { show } from '../../checks/show.js';
import type { ContentPart } from '../../tool/content.js';
import { linkText } from '../link-text.js';
import { audioFormatOf, isAudioFormat, mimeTypeOfAudio } from './audio-format.js';
import type { LlmPart } from './types.js';

const META = 'llm-agent';

/**
 * Our parts as llm-agent's. It has no files: one becomes a source that holds its text, or its bytes as a data URL. It has
 * no links: one becomes a source that holds what was said of it.
 */
export function toLlmParts(parts: readonly ContentPart[]): LlmPart[] {
  return parts.map(toLlmPart);
}

/**
 * llm-agent's parts as ours, with nothing lost: what ours have no word for is carried along.
 * @throws TypeError for a part that no tool result may hold, or that lacks what it must have, naming the tool
 */
export function fromLlmParts(toolName: string, parts: readonly unknown[]): ContentPart[] {
  return parts.map((part) => fromLlmPart(toolName, part));
}

function toLlmPart(part: ContentPart): LlmPart {
  const kept = part.meta?.[META] ?? {};
  switch (part.type) {
    case 'text':
      return { ...kept, type: 'text', text: part.text };
    case 'image':
      return { ...kept, ...sizeOf(part), type: 'image', mime_type: part.mimeType, data: part.data };
    case 'audio':
      return toLlmAudio(part, kept);
    case 'source':
      return { ...kept, type: 'source', source: part.source, title: part.title, content: toLlmParts(part.content) };
    case 'link': {
      const { meta, type, uri, name, title = name, ...facts } = part;
      const said: LlmPart[] = Object.keys(facts).length === 0 ? [] : [{ type: 'text', text: linkText(part) }];
      return { ...kept, type: 'source', source: uri, title, content: said };
    }
    case 'file':
      return asSource(part.name ?? 'file', part);
  }
}

function sizeOf({ width, height }: { width?: number; height?: number }): { width?: number; height?: number } {
  return { ...(width === undefined ? {} : { width }), ...(height === undefined ? {} : { height }) };
}

function toLlmAudio(part: Extract<ContentPart, { type: 'audio' }>, kept: Record<string, unknown>): LlmPart {
  const format = isAudioFormat(kept.format) ? kept.format : audioFormatOf(part.mimeType);
  if (format === undefined) return asSource('audio', part);
  const transcript = part.transcript === undefined ? {} : { transcript: part.transcript };
  return { ...kept, ...transcript, type: 'audio', data: part.data, format };
}

function asSource(name: string, { mimeType, data }: { mimeType: string; data: string }): LlmPart {
  const text = isText(mimeType) ? Buffer.from(data, 'base64').toString('utf8') : `data:${mimeType};base64,${data}`;
  return { type: 'source', source: name, title: name, content: [{ type: 'text', text }] };
}

function isText(mimeType: string): boolean {
  return /^(text\/|application\/(json|xml|javascript|x-yaml|yaml))/.test(mimeType);
}

function fromLlmPart(toolName: string, given: unknown): ContentPart {
  const part = (given ?? {}) as Record<string, unknown> & { type?: unknown };
  const text = (key: string) => textOf(toolName, part, key);
  switch (part.type) {
    case 'text': {
      const { type, text: _, ...rest } = part;
      return { type: 'text', text: text('text'), ...metaOf(rest) };
    }
    case 'image': {
      const { type, mime_type, data, width, height, ...rest } = part;
      const size = sizeOf({ ...numberOf('width', width), ...numberOf('height', height) });
      return { type: 'image', mimeType: text('mime_type'), data: text('data'), ...size, ...metaOf(rest) };
    }
    case 'audio': {
      const { type, data, transcript, ...rest } = part;
      const said = typeof transcript === 'string' ? { transcript } : {};
      const mimeType = mimeTypeOfAudio(text('format'));
      return { type: 'audio', mimeType, data: text('data'), ...said, ...metaOf(rest) };
    }
    case 'source': {
      const { type, source, title, content, ...rest } = part;
      const parts = fromLlmParts(toolName, listOf(toolName, part, 'content'));
      return { type: 'source', source: text('source'), title: text('title'), content: parts, ...metaOf(rest) };
    }
    default:
      throw new TypeError(
        `Tool '${toolName}' answered with a part of type ${show(part.type)}, which a tool result cannot hold: use text, image, audio or source`,
      );
  }
}

function textOf(toolName: string, part: Record<string, unknown>, key: string): string {
  const value = part[key];
  if (typeof value === 'string') return value;
  throw wrongMember(toolName, part, { key, words: 'a string' });
}

function listOf(toolName: string, part: Record<string, unknown>, key: string): unknown[] {
  const value = part[key];
  if (Array.isArray(value)) return value;
  throw wrongMember(toolName, part, { key, words: 'an array' });
}

function wrongMember(
  toolName: string,
  part: Record<string, unknown>,
  { key, words }: { key: string; words: string },
): TypeError {
  return new TypeError(
    `Tool '${toolName}' answered with a part of type ${show(part.type)} whose '${key}' must be ${words}, not ${show(part[key])}`,
  );
}

function numberOf(key: 'width' | 'height', value: unknown): { width?: number; height?: number } {
  return typeof value === 'number' ? { [key]: value } : {};
}

function metaOf(rest: Record<string, unknown>): Pick<ContentPart, 'meta'> {
  return Object.keys(rest).length === 0 ? {} : { meta: { [META]: rest } };
}
