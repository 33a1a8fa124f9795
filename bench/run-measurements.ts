import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import type { Measurement } from './measurement.ts';
import { table } from './table.ts';

export interface Bench {
  /** As it is called from a shell. */
  command: string;
  /** The script that calls this: each measurement is one more run of it. */
  script: string;
  measurements: Record<string, () => Promise<Measurement[]>>;
  /** In `bench/results`. */
  savedAs: string;
}

/** The command line of a bench. */
export async function runMeasurements(bench: Bench, args: string[]): Promise<void> {
  const { measurements } = bench;
  const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : undefined;
  if (args.includes('--help') || (only !== undefined && !Object.hasOwn(measurements, only))) {
    console.error(usage(bench));
    process.exitCode = args.includes('--help') ? 0 : 2;
    return;
  }
  const rows = only === undefined ? measureAll(bench) : ((await measurements[only]?.()) ?? []);
  if (args.includes('--json')) console.log(JSON.stringify({ machine: machine(), rows }, undefined, 2));
  else console.log(table(rows));
  if (args.includes('--save')) save(bench, rows);
}

function usage({ command, savedAs, measurements }: Bench): string {
  return `Usage: ${command} -- [--json] [--save] [--only <name>]
  --json   print the measurements as JSON
  --save   also write bench/results/${savedAs}
  --only   one of: ${Object.keys(measurements).join(', ')}`;
}

/** Each measurement in a process of its own: what one leaves on the heap must not slow or swell the next. */
function measureAll({ measurements, script }: Bench): Measurement[] {
  return Object.keys(measurements).flatMap((name) => {
    console.error(`measuring ${name} …`);
    const node = [...process.execArgv, '--expose-gc', '--no-warnings'];
    const output = execFileSync(process.execPath, [...node, script, '--only', name, '--json'], {
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

function save({ savedAs }: Bench, rows: Measurement[]): void {
  const directory = new URL('results/', import.meta.url);
  mkdirSync(directory, { recursive: true });
  writeFileSync(new URL(savedAs, directory), `${JSON.stringify({ machine: machine(), rows }, undefined, 2)}\n`);
}
