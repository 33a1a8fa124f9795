import { fileURLToPath } from 'node:url';
import { exec } from './exec.ts';
import { firstResult } from './first-result.ts';
import { hostOverhead } from './host-overhead.ts';
import { outputFlood } from './output-flood.ts';
import { permissions } from './permissions.ts';
import { readFile1KiB } from './read-file.ts';
import { runMeasurements } from './run-measurements.ts';
import { sessionMemory } from './session-memory.ts';
import { startUp } from './start-up.ts';
import { survival } from './survival.ts';

const bench = {
  command: 'npm run bench',
  script: fileURLToPath(import.meta.url),
  measurements: {
    'host-overhead': hostOverhead,
    exec,
    'read-file': readFile1KiB,
    'first-result': firstResult,
    'start-up': startUp,
    survival,
    'session-memory': sessionMemory,
    'output-flood': outputFlood,
    permissions,
  },
  savedAs: 'latest.json',
};

await runMeasurements(bench, process.argv.slice(2));
