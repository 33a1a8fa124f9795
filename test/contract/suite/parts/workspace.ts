import type { Contract } from '../contract.js';
import { describeDirect } from './workspace/direct.js';
import { describeLimits } from './workspace/limits.js';
import { describeMemory } from './workspace/memory.js';
import { describeOverlay } from './workspace/overlay.js';

/** The three workspace modes: where a write goes, and what may be done with it. */
export function describeWorkspace(contract: Contract): void {
  contract.describe('workspace', () => {
    describeDirect(contract);
    describeOverlay(contract);
    describeMemory(contract);
    describeLimits(contract);
  });
}
