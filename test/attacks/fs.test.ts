import { fs } from './cases/fs.js';
import { runAttacks } from './run-attacks.js';

runAttacks('attacks: files', fs);
