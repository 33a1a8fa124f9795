const HOST = /^(?:\*|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?)$/i;

/** Whether a text is a host name as rules write it: `*` alone, or `*.` before one, for those below. */
export function isHostPattern(text: string): boolean {
  return HOST.test(text);
}
