import type { ToolHost } from '../../host/types.js';

/** Approvals of this many calls are remembered for each host. */
const REMEMBERED = 10_000;

const usedBy = new WeakMap<ToolHost, Set<string>>();

/**
 * Takes an approval of a transcript for one call, whichever set of tools it came through.
 * @returns whether it was still unused in this process
 */
export function useApproval(host: ToolHost, approval: { approvalId: string; toolCallId: string }): boolean {
  const used = usedBy.get(host) ?? new Set();
  usedBy.set(host, used);
  const key = JSON.stringify([approval.approvalId, approval.toolCallId]);
  if (used.has(key)) return false;
  used.add(key);
  const [oldest] = used;
  if (used.size > REMEMBERED && oldest !== undefined) used.delete(oldest);
  return true;
}
