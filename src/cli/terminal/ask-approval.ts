import { createInterface } from 'node:readline/promises';
import type { ApprovalDecision, ApprovalRequest } from '../../host/types.js';
import { approvalText } from './approval-text.js';

/** Asks the person at the terminal; anything but `y` or `yes` rejects, and so does Ctrl-C or Ctrl-D. */
export async function askApproval(
  request: ApprovalRequest,
  options: { signal: AbortSignal },
): Promise<ApprovalDecision> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    process.stderr.write(`${approvalText(request)}\n`);
    const answer = await terminal.question('Run it? [y/N] ', { signal: options.signal });
    return { decision: /^y(es)?$/i.test(answer.trim()) ? 'approve' : 'reject' };
  } catch {
    return { decision: 'reject' };
  } finally {
    terminal.close();
  }
}
