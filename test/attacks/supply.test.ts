import { supply } from './cases/supply.js';
import { runAttacks } from './run-attacks.js';

runAttacks('attacks: what is installed', supply);
