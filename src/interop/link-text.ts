import type { ContentPart } from '../tool/content.js';

type Link = Extract<ContentPart, { type: 'link' }>;

/** A link as text, for what has no word for one: nothing that was said of it is lost. */
export function linkText({ uri, name, title, description, mimeType, size }: Link): string {
  const facts = [uri, mimeType, size === undefined ? undefined : `${size} bytes`].filter((fact) => fact !== undefined);
  return `${title ?? name} (${facts.join(', ')})${description === undefined ? '' : `: ${description}`}`;
}
