import { isolation } from './cases/isolation.js';
import { runAttacks } from './run-attacks.js';

runAttacks('attacks: one session from another, and its worker', isolation);
