import { escaping } from './cases/escape.js';
import { runAttacks } from './run-attacks.js';

runAttacks('attacks: getting out of the isolate', escaping);
