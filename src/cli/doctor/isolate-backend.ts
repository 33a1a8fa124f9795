import { createIsolateSandbox } from '../../sandbox/isolate/create-isolate-sandbox.js';
import type { BackendReport } from './check.js';

/** Starts a real sandbox, runs a command in it and evaluates JavaScript. */
export async function isolateBackend(): Promise<BackendReport> {
  const name = 'isolate';
  const started = performance.now();
  try {
    await using sandbox = createIsolateSandbox({});
    const result = await sandbox.exec('echo hello | tr a-z A-Z', { timeoutMs: 20_000 });
    if (result.stdout !== 'HELLO\n') throw new Error(`The shell answered ${JSON.stringify(result.stdout)}`);
    const first = performance.now() - started;
    const again = performance.now();
    await sandbox.exec('true');
    return {
      name,
      works: true,
      detail: `first result after ${first.toFixed(0)} ms, the next after ${(performance.now() - again).toFixed(1)} ms`,
    };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { name, works: false, detail, fix: 'Mend the problems above; then run caisson doctor again' };
  }
}
