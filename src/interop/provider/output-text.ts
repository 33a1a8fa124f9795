import type { ContentPart } from '../../tool/content.js';
import { linkText } from '../link-text.js';
import { partsOf } from '../mcp/content-blocks.js';
import type { DecidedOutcome } from './turn-call.js';

/** What a provider's result says: the error as JSON, a string as it is, anything else as JSON. */
export function outcomeText(outcome: DecidedOutcome): string {
  if (outcome.status === 'error') return JSON.stringify(outcome.error);
  const { output } = outcome;
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? 'null');
}

/** The parts of a result that has them, beside its output or as the whole of it. */
export function outcomeParts(outcome: DecidedOutcome): ContentPart[] | undefined {
  const parts = outcome.content ?? (outcome.status === 'ok' ? partsOf(outcome.output) : undefined);
  return parts === undefined || parts.length === 0 ? undefined : parts;
}

/** A part as text, where the provider's result cannot carry it. */
export function partText(part: ContentPart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'audio':
      return part.transcript ?? notShown(part);
    case 'image':
    case 'file':
      return notShown(part);
    case 'link':
      return linkText(part);
    case 'source':
      return [`${part.title} (${part.source})`, ...part.content.map(partText)].join('\n');
  }
}

function notShown({ type, mimeType, data }: Exclude<ContentPart, { type: 'text' | 'source' | 'link' }>): string {
  return `[${type}: ${mimeType}, ${Math.floor((data.length * 3) / 4)} bytes, cannot be shown here]`;
}
