import { fuzz } from './cases/fuzz.js';
import { runAttacks } from './run-attacks.js';

runAttacks('attacks: random input', fuzz);
