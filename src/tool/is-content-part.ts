import type { ContentPart } from './content.js';

/** Whether a value is a part, with every member of the right kind: frameworks and servers say what they like. */
export function isContentPart(value: unknown): value is ContentPart {
  return isRecord(value) && isMeta(value.meta) && hasBody(value);
}

function hasBody(part: Record<string, unknown>): boolean {
  switch (part.type) {
    case 'text':
      return texts(part.text);
    case 'image':
      return texts(part.data, part.mimeType) && optional('number', part.width, part.height);
    case 'audio':
      return texts(part.data, part.mimeType) && optional('string', part.transcript);
    case 'file':
      return texts(part.data, part.mimeType) && optional('string', part.name);
    case 'link':
      return (
        texts(part.uri, part.name) &&
        optional('string', part.title, part.description, part.mimeType) &&
        optional('number', part.size)
      );
    case 'source':
      return (
        texts(part.source, part.title) &&
        optional('string', part.mimeType) &&
        Array.isArray(part.content) &&
        part.content.every(isContentPart)
      );
    default:
      return false;
  }
}

function texts(...members: unknown[]): boolean {
  return members.every((member) => typeof member === 'string');
}

function optional(type: 'string' | 'number', ...members: unknown[]): boolean {
  return members.every((member) => member === undefined || typeof member === type);
}

function isMeta(meta: unknown): boolean {
  return meta === undefined || (isRecord(meta) && Object.values(meta).every(isRecord));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
