import type { Kind } from '../../checks/kinds.js';
import { listTools } from '../../host/tool-listing.js';
import type { ToolHost, ToolListing } from '../../host/types.js';

/** Names of the host's tools, each with the name that it has in the AI SDK. */
export type AiSdkToolNames = Readonly<Record<string, string>>;

export const toolNames: Kind = {
  test: (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((name) => typeof name === 'string' && name !== ''),
  words: "an object of names that are not empty, such as { shell: 'run' }",
};

/** Each of the tools with its name in the AI SDK. @throws TypeError when two would have the same */
export function keyed(listings: readonly ToolListing[], names: AiSdkToolNames = {}): [string, ToolListing][] {
  const taken = new Map<string, string>();
  return listings.map((listing) => {
    const key = Object.hasOwn(names, listing.name) ? (names[listing.name] ?? listing.name) : listing.name;
    const other = taken.get(key);
    if (other !== undefined)
      throw new TypeError(`Cannot name two tools '${key}' for the AI SDK: '${other}' and '${listing.name}'`);
    taken.set(key, listing.name);
    return [key, listing];
  });
}

/**
 * The tools that the host lists to nobody because every call is denied, each with its name in the AI SDK: a call that
 * waited for approval when the deny came still has to be answered.
 */
export function keyedDenied(host: ToolHost, names: AiSdkToolNames = {}): [string, ToolListing][] {
  const { registry, permissions } = host;
  const policy = { isWhollyDenied: (name: string) => !permissions.isWhollyDenied(name) };
  const told = { context: undefined, sandbox: host.sandbox };
  const taken = new Set(keyed(host.tools(), names).map(([key]) => key));
  return listTools({ registry, policy }, told)
    .map((listing): [string, ToolListing] => [
      Object.hasOwn(names, listing.name) ? (names[listing.name] ?? listing.name) : listing.name,
      listing,
    ])
    .filter(([key]) => !taken.has(key));
}
