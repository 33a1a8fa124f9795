import type { Contract } from '../contract.js';
import { describeArguments } from './commands/arguments.js';
import { describeCleanStart } from './commands/clean-start.js';
import { describeConcurrency } from './commands/concurrency.js';
import { describeDirectories } from './commands/directories.js';
import { describeEnvironment } from './commands/environment.js';
import { describeExitCodes } from './commands/exit-codes.js';
import { describeInput } from './commands/input.js';
import { describeOutput } from './commands/output.js';
import { describeProcesses } from './commands/processes.js';
import { describeStopping } from './commands/stopping.js';

/** Everything about `exec`, `run` and `spawn`. */
export function describeCommands(contract: Contract): void {
  contract.describe('commands', () => {
    describeOutput(contract);
    describeExitCodes(contract);
    describeInput(contract);
    describeDirectories(contract);
    describeEnvironment(contract);
    describeCleanStart(contract);
    describeStopping(contract);
    describeProcesses(contract);
    describeConcurrency(contract);
    describeArguments(contract);
  });
}
