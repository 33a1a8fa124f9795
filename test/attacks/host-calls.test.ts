import { hostCalls } from './cases/host-calls.js';
import { runAttacks } from './run-attacks.js';

runAttacks('attacks: calls and custom tools', hostCalls);
