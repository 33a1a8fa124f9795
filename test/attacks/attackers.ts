import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Stage } from './stage.js';

/** Runs a program of the host that changes the tree as fast as it can, until the stage is cleared. */
export async function startAttacker(stage: Stage, body: string, ...args: string[]): Promise<void> {
  const script = `
    const fs = require('node:fs');
    const [${args.map((_, index) => `a${index}`).join(', ')}] = process.argv.slice(1);
    const attempt = (work) => { try { work() } catch {} };
    process.stdout.write('ready');
    process.stdin.on('close', () => process.exit()).resume();
    const go = () => { for (let i = 0; i < 200; i++) { ${body} } setImmediate(go) };
    go();`;
  const child = spawn(process.execPath, ['-e', script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  stage.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  });
  await once(child.stdout, 'data');
}
