import { mcp } from './cases/mcp.js';
import { runAttacks } from './run-attacks.js';

runAttacks('attacks: the MCP server', mcp);
