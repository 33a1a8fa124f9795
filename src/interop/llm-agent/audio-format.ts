import type { LlmAudioFormat } from './types.js';

/** MIME types by llm-agent's own names, as its SDK has them. */
const MIME_TYPES: Record<LlmAudioFormat, string> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  linear16: 'audio/L16',
  flac: 'audio/flac',
  mulaw: 'audio/basic',
  alaw: 'audio/basic',
  aac: 'audio/aac',
  opus: 'audio/ogg; codecs="opus"',
};

/** Other names of the same types. */
const ALIASES: Record<string, LlmAudioFormat> = {
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/mp3': 'mp3',
  'audio/ogg': 'opus',
  'audio/opus': 'opus',
  'audio/x-flac': 'flac',
  'audio/pcm': 'linear16',
};

export function mimeTypeOfAudio(format: string): string {
  return Object.hasOwn(MIME_TYPES, format) ? MIME_TYPES[format as LlmAudioFormat] : 'application/octet-stream';
}

/** `undefined` for a type that llm-agent has no name for. */
export function audioFormatOf(mimeType: string): LlmAudioFormat | undefined {
  const wanted = mimeType.toLowerCase();
  const formats = Object.keys(MIME_TYPES) as LlmAudioFormat[];
  const [bare = ''] = wanted.split(';');
  const found = formats.find((format) => wanted.startsWith(MIME_TYPES[format].toLowerCase()));
  return found ?? (Object.hasOwn(ALIASES, bare.trim()) ? ALIASES[bare.trim()] : undefined);
}

export function isAudioFormat(format: unknown): format is LlmAudioFormat {
  return typeof format === 'string' && Object.hasOwn(MIME_TYPES, format);
}
