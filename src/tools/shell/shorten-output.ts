import { cut, cutStart } from '../files/text-lines.js';

/**
 * Cuts the middle out of a stream so that at most `limit` characters and a marker remain. The end matters most when a
 * command failed, so it then gets three quarters of the room.
 * @param droppedBytes what the sandbox had dropped from the middle before
 */
export function shortenOutput(
  text: string,
  options: { limit: number; favourEnd: boolean; droppedBytes: number },
): string {
  const { limit, favourEnd, droppedBytes } = options;
  if (text.length <= limit) return text;
  const headLength = Math.floor(favourEnd ? limit / 4 : limit / 2);
  const head = toLineEnd(cut(text, headLength));
  const tail = toLineStart(cutStart(text, limit - headLength));
  const middle = text.slice(head.length, text.length - tail.length);
  const dropped = Buffer.byteLength(middle) + droppedBytes;
  const separator = head.endsWith('\n') ? '' : '\n';
  return `${head}${separator}[… ${dropped} bytes dropped here; send the output to a file to read all of it …]\n${tail}`;
}

/** Prefers whole lines, unless that would give up more than a fifth. */
function toLineEnd(head: string): string {
  const end = head.lastIndexOf('\n') + 1;
  return end >= head.length * 0.8 ? head.slice(0, end) : head;
}

function toLineStart(tail: string): string {
  const start = tail.indexOf('\n') + 1;
  return start > 0 && start <= tail.length * 0.2 ? tail.slice(start) : tail;
}
