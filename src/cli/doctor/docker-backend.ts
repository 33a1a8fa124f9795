import type { BackendReport } from './check.js';

/** Containers come with a later version; saying so beats a puzzle. */
export function dockerBackend(): BackendReport {
  return { name: 'docker', works: false, detail: 'not in this version', fix: 'Use the isolate backend' };
}
