import type { EvaluateBridge, EvaluateLimits } from '../evaluate-bridge.js';
import { encode } from './encode.js';
import { intrinsics } from './intrinsics.js';

const { apply, slice, String: toText } = intrinsics;

/** The code's `log(...)`: strings as they are, other values as JSON where they have one. */
export function createLog(bridge: EvaluateBridge, limits: EvaluateLimits): (...values: unknown[]) => void {
  let characters = 0;
  let lines = 0;
  return (...values) => {
    if (lines >= limits.logLines || characters >= limits.logCharacters) return;
    let line = '';
    for (let index = 0; index < values.length; index += 1)
      line += (index === 0 ? '' : ' ') + textOf(values[index], limits);
    lines += 1;
    const room = limits.logCharacters - characters;
    characters += line.length;
    bridge.log(line.length > room ? `${apply(slice, line, [0, room])}… (the log is full)` : line);
  };
}

function textOf(value: unknown, limits: EvaluateLimits): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'function') return '[function]';
  if (typeof value !== 'object' || value === null) return toText(value);
  if (value instanceof intrinsics.Error) return toText(value);
  const encoded = encode(value, { characters: limits.logCharacters, depth: limits.depth });
  return encoded.text ?? `[object: ${encoded.refusal?.reason}]`;
}
