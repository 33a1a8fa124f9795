import { createHash } from 'node:crypto';

const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

/** @throws TypeError for a name that no tool name could start with */
export function checkServerName(server: string): void {
  // After a last `_`, tool `x` of this server and `_x` of another would have one name.
  if (/^[a-zA-Z0-9_-]{1,40}$/.test(server) && !server.includes('__') && !server.endsWith('_')) return;
  throw new TypeError(
    `Cannot use '${server}' as the name of an MCP server: use 1 to 40 letters, digits, '-' and single '_', and no '_' at the end`,
  );
}

/**
 * `<server>__<tool>` within what model providers allow as a name. What had to be changed ends in a hash of the
 * server's own name for it, so that two tools never become one.
 */
export function importedName(server: string, tool: string): string {
  const plain = `${server}__${tool}`;
  const valid = plain.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
  if (valid === plain && plain.length <= MAX_LENGTH && tool !== '') return plain;
  const hash = createHash('sha256').update(tool).digest('hex').slice(0, HASH_LENGTH);
  return `${valid.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}
