import { createDockerSandbox, DEFAULT_IMAGE, type EngineReport, inspectEngine } from '../../sandbox/docker/index.js';
import type { BackendReport } from './check.js';

const name = 'docker';

/** Whether an engine answers, has the image, and gives a container in which a command runs. */
export async function dockerBackend(): Promise<BackendReport> {
  const report = await inspectEngine(DEFAULT_IMAGE);
  if (!report.reachable) return unreachable(report.reason);
  const engine = describeEngine(report);
  if (!report.imagePresent) {
    const detail = `${engine}; it does not have the image ${DEFAULT_IMAGE}`;
    return { name, works: false, detail, fix: 'Run caisson image build' };
  }
  const started = performance.now();
  try {
    await using sandbox = createDockerSandbox();
    const { stdout } = await sandbox.exec('echo hello | tr a-z A-Z', { timeoutMs: 20_000 });
    if (stdout !== 'HELLO\n') throw new Error(`The shell answered ${JSON.stringify(stdout)}`);
    const detail = `${engine}; first result after ${(performance.now() - started).toFixed(0)} ms`;
    return { name, works: true, detail };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { name, works: false, detail: `${engine}; ${reason}`, fix: 'Mend that, or use the isolate backend' };
  }
}

function describeEngine(report: Extract<EngineReport, { reachable: true }>): string {
  const { endpoint, foundBy, version, local, rootless, podman } = report;
  const notes = [
    ...(podman ? ['Podman: not supported yet'] : []),
    ...(rootless ? ["rootless: no 'direct' workspaces"] : []),
    ...(local ? [] : ["on another machine: no 'direct' workspaces"]),
  ];
  return [`engine ${version} at ${endpoint} (${foundBy})`, ...notes].join('; ');
}

/** The reason ends in what to do. */
function unreachable(reason: string): BackendReport {
  const advice = reason.search(/\. Start /);
  if (advice === -1) return { name, works: false, detail: reason, fix: 'Start Docker, or use the isolate backend' };
  return { name, works: false, detail: reason.slice(0, advice), fix: reason.slice(advice + 2) };
}
