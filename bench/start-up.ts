import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { atMost, type Measurement } from './measurement.ts';
import { sample, summary } from './samples.ts';

const run = promisify(execFile);
const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const LIBRARY = new URL('../dist/index.js', import.meta.url).href;
const INITIALIZE = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
})}\n`;

/** From the start of a process; what Node itself takes to start is the rival, and taken off before it is judged. */
export async function startUp(): Promise<Measurement[]> {
  const node = summary(await sample(15, 2, () => run(process.execPath, ['-e', '0'])));
  const rival = { name: 'node -e 0', p50: node.p50 };
  const mcp = summary(await sample(15, 2, answerInitialize));
  const library = ['--input-type=module', '-e', `await import(${JSON.stringify(LIBRARY)})`];
  const imported = summary(await sample(15, 2, () => run(process.execPath, library)));
  return [
    { what: '`caisson mcp` answers initialize', unit: 'ms', ...mcp, rival, target: over(400, mcp.p50 - node.p50) },
    { what: 'importing `caisson`', unit: 'ms', ...imported, rival, target: over(250, imported.p50 - node.p50) },
  ];
}

function over(limit: number, value: number): Measurement['target'] {
  return { ...atMost(limit, value, 'ms'), text: `≤ ${limit} ms over Node` };
}

async function answerInitialize(): Promise<void> {
  const server = spawn(process.execPath, [CLI, 'mcp'], { stdio: ['pipe', 'pipe', 'inherit'] });
  server.stdin.write(INITIALIZE);
  await once(server.stdout, 'data');
  server.kill('SIGKILL');
}
