const HEADER_BYTES = 12;
/** Times, device, inode, mode, owner and size of an entry, before its object id. */
const STAT_BYTES = 40;
const LONG_NAME = 0xfff;
const EXTENDED = 0x4000;

/**
 * The paths that a git index lists, versions 2 to 4. The bytes come from a workspace: whatever they hold, this ends.
 * @throws RangeError for what is no index
 */
export function readGitIndex(bytes: Uint8Array, idBytes = 20): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0) !== 0x44495243) throw new RangeError('Cannot read the git index: it does not begin with DIRC');
  const version = view.getUint32(4);
  const count = view.getUint32(8);
  const paths: string[] = [];
  let at = HEADER_BYTES;
  let previous = '';
  for (let index = 0; index < count; index += 1) {
    const start = at;
    const flags = view.getUint16(at + STAT_BYTES + idBytes);
    at += STAT_BYTES + idBytes + 2 + ((flags & EXTENDED) !== 0 && version >= 3 ? 2 : 0);
    const cut = version === 4 ? readVarint(bytes, at) : { value: previous.length, next: at };
    const end = bytes.indexOf(0, cut.next);
    if (end === -1) throw new RangeError('Cannot read the git index: an entry has no end');
    const rest = Buffer.from(bytes.subarray(cut.next, end)).toString('latin1');
    previous = version === 4 ? previous.slice(0, Math.max(0, previous.length - cut.value)) + rest : rest;
    paths.push(Buffer.from(previous, 'latin1').toString('utf8'));
    if (version === 4) at = end + 1;
    else {
      const length = (flags & LONG_NAME) < LONG_NAME ? flags & LONG_NAME : end - cut.next;
      const used = cut.next - start + length;
      at = start + used + (8 - (used % 8));
    }
  }
  return paths;
}

/** As in git's pack offsets: each further byte stands for one more than its bits say. */
function readVarint(bytes: Uint8Array, start: number): { value: number; next: number } {
  let next = start;
  let byte = bytes[next++] ?? 0;
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0 && next - start < 8) {
    byte = bytes[next++] ?? 0;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, next };
}
