import { memory } from './cases/memory.js';
import { runAttacks } from './run-attacks.js';

runAttacks('attacks: memory', memory);
