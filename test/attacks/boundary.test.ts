import { boundary } from './cases/boundary.js';
import { runAttacks } from './run-attacks.js';

runAttacks('attacks: what crosses the border of the isolate', boundary);
