import { createToolHost } from '../../host/create-tool-host.js';
import type { ToolHost, ToolOutcome } from '../../host/types.js';
import { createIsolateSandbox } from '../../sandbox/isolate/create-isolate-sandbox.js';
import { unifiedDiff } from '../../sandbox/unified-diff.js';
import { codingTools } from '../../tools/coding-tools.js';
import { EXIT } from '../exit-code.js';
import { safeJson } from '../terminal/escape.js';
import { print } from '../terminal/print.js';
import { CHAPTERS } from './chapters.js';
import { type DemoReport, type StepReport, wentWell } from './demo-report.js';
import { deploy, runJavascript } from './demo-tools.js';
import { createDemoWorkspace, type DemoWorkspace } from './demo-workspace.js';
import { mismatch } from './expectation.js';
import { chapterText, headText, stepText } from './step-text.js';
import { summaryText } from './summary-text.js';

const PERMISSIONS = {
  deny: [
    { tool: 'read_file', path: '**/.env', reason: 'Secrets stay with people' },
    { tool: 'shell', command: 'rm -rf', reason: 'Remove files one by one' },
  ],
  ask: [{ tool: 'shell', command: 'git push', reason: 'Publishing needs a person' }],
};

/** Runs every step and prints it as it goes. @returns the exit code */
export async function runDemo(options: { json: boolean; signal: AbortSignal }): Promise<number> {
  const say = options.json ? () => {} : print;
  const started = performance.now();
  await using workspace = await createDemoWorkspace();
  await using sandbox = createIsolateSandbox({
    workspace: workspace.path,
    workspaceMode: 'overlay',
    limits: { memoryBytes: 256 * 1024 * 1024 },
  });
  await using host = createToolHost({
    sandbox,
    tools: [codingTools(), runJavascript, deploy],
    permissions: PERMISSIONS,
  });
  say(headText(workspace.path));
  await host.ready();
  const steps = await runSteps(host, workspace, { say, signal: options.signal });
  const report: DemoReport = {
    steps,
    leaks: steps.filter(({ outcome }) => shows(outcome, workspace.secret)).length,
    untouched: await workspace.isUntouched(),
    diff: unifiedDiff(await sandbox.changes()),
    totalMs: performance.now() - started,
  };
  if (options.json) print(safeJson(jsonReport(report), 2));
  else print(summaryText(report));
  return wentWell(report) ? EXIT.ok : EXIT.failed;
}

async function runSteps(
  host: ToolHost,
  workspace: DemoWorkspace,
  { say, signal }: { say: (text: string) => void; signal: AbortSignal },
): Promise<StepReport[]> {
  const reports: StepReport[] = [];
  for (const chapter of CHAPTERS) {
    say(chapterText(chapter.heading));
    for (const step of chapter.steps) {
      signal.throwIfAborted();
      const outcome = await host.call({ toolName: step.tool, args: step.args }, { signal });
      const wrong = shows(outcome, workspace.secret) ? 'the secret leaked' : mismatch(outcome, step.expect);
      const report = { step, outcome, ...(wrong === undefined ? {} : { wrong }) };
      reports.push(report);
      say(stepText(report));
    }
  }
  return reports;
}

function shows(outcome: ToolOutcome, secret: string): boolean {
  return JSON.stringify(outcome).includes(secret);
}

function jsonReport(report: DemoReport) {
  const { steps, ...rest } = report;
  return {
    ok: wentWell(report),
    ...rest,
    steps: steps.map(({ step, outcome, wrong }) => ({
      ...step,
      expect: undefined,
      outcome,
      expected: wrong === undefined,
      wrong,
    })),
  };
}
