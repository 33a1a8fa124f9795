import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { exec } from './exec.ts';
import { firstResult } from './first-result.ts';
import { hostOverhead } from './host-overhead.ts';
import type { Measurement } from './measurement.ts';
import { outputFlood } from './output-flood.ts';
import { permissions } from './permissions.ts';
import { readFile1KiB } from './read-file.ts';
import { sessionMemory } from './session-memory.ts';
import { startUp } from './start-up.ts';
import { survival } from './survival.ts';
import { table } from './table.ts';

const USAGE = `Usage: npm run bench -- [--json] [--save] [--only <name>]
  --json   print the measurements as JSON
  --save   also write bench/results/latest.json (npm run bench:plot draws it)
  --only   one of: `;

const MEASUREMENTS: Record<string, () => Promise<Measurement[]>> = {
  'host-overhead': hostOverhead,
  exec,
  'read-file': readFile1KiB,
  'first-result': firstResult,
  'start-up': startUp,
  survival,
  'session-memory': sessionMemory,
  'output-flood': outputFlood,
  permissions,
};

await main(process.argv.slice(2));

async function main(args: string[]): Promise<void> {
  const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : undefined;
  if (args.includes('--help') || (only !== undefined && !Object.hasOwn(MEASUREMENTS, only))) {
    console.error(USAGE + Object.keys(MEASUREMENTS).join(', '));
    process.exitCode = args.includes('--help') ? 0 : 2;
    return;
  }
  const rows = only === undefined ? measureAll() : ((await MEASUREMENTS[only]?.()) ?? []);
  if (args.includes('--json')) console.log(JSON.stringify({ machine: machine(), rows }, undefined, 2));
  else console.log(table(rows));
  if (args.includes('--save')) save(rows);
}

/** Each measurement in a process of its own: what one leaves on the heap must not slow or swell the next. */
function measureAll(): Measurement[] {
  return Object.keys(MEASUREMENTS).flatMap((name) => {
    console.error(`measuring ${name} …`);
    const args = ['--expose-gc', '--no-warnings', fileURLToPath(import.meta.url), '--only', name, '--json'];
    const output = execFileSync(process.execPath, args, {
      encoding: 'utf8',
      timeout: 600_000,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return (JSON.parse(output) as { rows: Measurement[] }).rows;
  });
}

function machine() {
  const [cpu] = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    kernel: release(),
    cpu: cpu?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
  };
}

function save(rows: Measurement[]): void {
  const directory = new URL('results/', import.meta.url);
  mkdirSync(directory, { recursive: true });
  writeFileSync(new URL('latest.json', directory), `${JSON.stringify({ machine: machine(), rows }, undefined, 2)}\n`);
}
