import { fsRace } from './cases/fs-race.js';
import { runAttacks } from './run-attacks.js';

runAttacks('attacks: files that change underneath', fsRace);
