import { policyCommands } from './cases/policy-commands.js';
import { runAttacks } from './run-attacks.js';

runAttacks('attacks: rules about commands', policyCommands);
