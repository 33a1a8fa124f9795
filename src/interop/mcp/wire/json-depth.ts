const QUOTE = 34;
const BACKSLASH = 92;

/**
 * Whether JSON text nests deeper than `limit`, found without parsing it: `JSON.parse` takes 100,000 levels, and
 * whatever walks the value afterwards does not.
 */
export function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (inString) {
      if (unit === BACKSLASH) index += 1;
      else if (unit === QUOTE) inString = false;
    } else if (unit === QUOTE) inString = true;
    else if (unit === 91 || unit === 123) {
      depth += 1;
      if (depth > limit) return true;
    } else if (unit === 93 || unit === 125) depth -= 1;
  }
  return false;
}
