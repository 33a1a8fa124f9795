import { isUtf8 } from 'node:buffer';
import { readdirSync } from 'node:fs';

/** What Node makes of bytes that are not UTF-8. A name with it in it is most likely one that no path can say. */
export const LOST_BYTES = '\ufffd';

/**
 * Names in the directory where the process is that are not valid UTF-8, as bytes: decoded, they lead nowhere.
 * @param names what a listing of it gave
 */
export function unnamedEntries(names: readonly { name: string }[]): Buffer[] {
  if (!names.some(({ name }) => name.includes(LOST_BYTES))) return [];
  return readdirSync('.', { encoding: 'buffer' }).filter((bytes) => !isUtf8(bytes));
}
