import type { Contract } from '../contract.js';
import { describeConfinement } from './files/confinement.js';
import { describeNames } from './files/names.js';
import { describeReading } from './files/reading.js';
import { describeSpecialFiles } from './files/special-files.js';
import { describeTree } from './files/tree.js';
import { describeVersions } from './files/versions.js';
import { describeWriting } from './files/writing.js';

/** Everything about `fs` but searching. */
export function describeFiles(contract: Contract): void {
  contract.describe('files', () => {
    describeReading(contract);
    describeWriting(contract);
    describeVersions(contract);
    describeTree(contract);
    describeNames(contract);
    describeConfinement(contract);
    describeSpecialFiles(contract);
  });
}
