import { leaveUnstarted, passGates } from './call-pipeline.js';
import type { HostParts } from './call-state.js';
import type { CallOptions, ToolCall, ToolOutcome } from './types.js';

/**
 * Runs the calls of one turn: at most `concurrency` at once, each starting only after those before it passed their
 * gates; answers in call order. From the first call that waits for approval on, nothing more starts.
 * @throws PropagatingToolError when a call does: what runs is awaited, what waits never starts
 */
export async function runBatch(
  parts: HostParts,
  calls: readonly ToolCall[],
  { concurrency, options }: { concurrency: number; options: CallOptions },
): Promise<ToolOutcome[]> {
  const outcomes: ToolOutcome[] = [];
  const running = new Set<Promise<void>>();
  let propagating: { error: unknown } | undefined;
  let stopped: string | undefined;
  for (const [index, call] of calls.entries()) {
    while (running.size >= concurrency) await Promise.race(running);
    if (propagating !== undefined) break;
    if (stopped !== undefined) {
      outcomes[index] = leaveUnstarted(parts, call, { options, why: stopped });
      continue;
    }
    try {
      const gate = await passGates(parts, call, options);
      if (propagating !== undefined) break;
      if (!gate.passed) {
        outcomes[index] = gate.outcome;
        if (gate.outcome.status === 'awaiting-approval')
          stopped = 'an earlier call of this turn waits for approval; call it again afterwards';
        continue;
      }
      const run = gate
        .run()
        .then(
          (outcome) => {
            outcomes[index] = outcome;
          },
          (error) => {
            propagating ??= { error };
          },
        )
        .finally(() => running.delete(run));
      running.add(run);
    } catch (error) {
      propagating ??= { error };
    }
  }
  await Promise.all(running);
  if (propagating !== undefined) throw propagating.error;
  return outcomes;
}
