import { escapeTerminal } from './escape.js';

/** Turns a guest's bytes into printable text, chunk by chunk. */
export interface EscapingStream {
  /** Text that is certain by now. */
  push(bytes: Uint8Array): string;
  /** What was held back, at the end. */
  end(): string;
}

/** A `\r` or half a character at the end of a chunk is held back until the next one says what it is. */
export function createEscapingStream(): EscapingStream {
  const decoder = new TextDecoder();
  let held = '';
  const take = (text: string) => {
    const whole = held + text;
    held = whole.endsWith('\r') ? '\r' : '';
    return escapeTerminal(held === '' ? whole : whole.slice(0, -1));
  };
  return {
    push: (bytes) => take(decoder.decode(bytes, { stream: true })),
    end: () => {
      const rest = take(decoder.decode());
      return held === '' ? rest : rest + escapeTerminal(held);
    },
  };
}
