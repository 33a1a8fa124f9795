import { timeout } from './cases/timeout.js';
import { runAttacks } from './run-attacks.js';

runAttacks('attacks: time', timeout);
