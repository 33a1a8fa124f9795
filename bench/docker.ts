import { fileURLToPath } from 'node:url';
import { concurrency } from './docker/concurrency.ts';
import { exec } from './docker/exec.ts';
import { files } from './docker/files.ts';
import { firstResult } from './docker/first-result.ts';
import { orphans } from './docker/orphans.ts';
import { outputFlood } from './docker/output-flood.ts';
import { runMeasurements } from './run-measurements.ts';

/** The Docker backend beside the bare engine, in the same run on the same engine. */
const bench = {
  command: 'npm run bench:docker',
  script: fileURLToPath(import.meta.url),
  measurements: { exec, files, concurrency, 'first-result': firstResult, 'output-flood': outputFlood, orphans },
  savedAs: 'docker.json',
};

await runMeasurements(bench, process.argv.slice(2));
