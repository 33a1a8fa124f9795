import { fsPaths } from './cases/fs-paths.js';
import { runAttacks } from './run-attacks.js';

runAttacks('attacks: paths that lead out', fsPaths);
