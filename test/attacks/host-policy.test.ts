import { hostPolicy } from './cases/host-policy.js';
import { runAttacks } from './run-attacks.js';

runAttacks('attacks: permissions', hostPolicy);
