import { fsKinds } from './cases/fs-kinds.js';
import { runAttacks } from './run-attacks.js';

runAttacks('attacks: links, modes and special files', fsKinds);
