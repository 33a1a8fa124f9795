import { search } from './cases/search.js';
import { runAttacks } from './run-attacks.js';

runAttacks('attacks: searching', search);
