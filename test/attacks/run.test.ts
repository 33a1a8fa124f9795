import { run } from './cases/run.js';
import { runAttacks } from './run-attacks.js';

runAttacks('attacks: commands', run);
