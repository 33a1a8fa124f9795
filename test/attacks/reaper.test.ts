import { reaper } from './cases/reaper.js';
import { runAttacks } from './run-attacks.js';

runAttacks('attacks: a host that dies', reaper);
