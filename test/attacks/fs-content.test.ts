import { fsContent } from './cases/fs-content.js';
import { runAttacks } from './run-attacks.js';

runAttacks('attacks: names, edits and interrupted writes', fsContent);
