const ASCII = /^[\0-\x7f]*$/;
// File systems that fold case also skip these (HFS+), and people cannot see them.
const IGNORABLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u206a-\u206f\ufeff\u00ad]/g;

/** The same string for all spellings that some file system, or some reader, takes for the same name. */
export function foldPath(path: string): string {
  if (ASCII.test(path)) return path.toLowerCase();
  return path.normalize('NFC').replace(IGNORABLE, '').toUpperCase().toLowerCase().normalize('NFC');
}
