import { load } from './cases/load.js';
import { runAttacks } from './run-attacks.js';

runAttacks('attacks: many at once', load);
