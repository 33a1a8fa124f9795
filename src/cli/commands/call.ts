import { Command } from 'commander';
import { createToolHost } from '../../host/create-tool-host.js';
import type { ApprovalDecision, ApprovalRequest, ToolOutcome } from '../../host/types.js';
import type { Change, CommitResult, SandboxSession } from '../../sandbox/contract.js';
import { unifiedDiff } from '../../sandbox/unified-diff.js';
import { codingTools } from '../../tools/coding-tools.js';
import { exitCodeOf, wasEnded } from '../exit-code.js';
import { withInterrupt } from '../interrupt.js';
import { addSandboxOptions, openSandbox, permissionsOf, type SandboxOptions } from '../sandbox-options.js';
import { askApproval } from '../terminal/ask-approval.js';
import { noteColor } from '../terminal/color.js';
import { colorDiff } from '../terminal/diff-color.js';
import { escapeTerminal, safeJson } from '../terminal/escape.js';
import { outcomeText } from '../terminal/outcome-text.js';
import { print, printNote } from '../terminal/print.js';
import { readStdin } from '../terminal/read-stdin.js';
import { UsageError } from '../usage-error.js';

interface CallCommandOptions extends SandboxOptions {
  args: string;
  commit?: boolean;
  json?: boolean;
  raw?: boolean;
}

const EXAMPLES = `
Tools: read_file, write_file, edit_file, list_dir, glob, grep, shell
(caisson tools shows what each takes)

Examples:
  $ caisson call glob --workspace . --args '{"pattern":"**/*.md"}'
  $ caisson call shell --workspace . --deny 'read_file(**/.env)' --args '{"command":"cat .env"}'
  $ caisson call edit_file --workspace . --workspace-mode overlay \\
      --args '{"path":"README.md","old_string":"teh","new_string":"the"}'    # shows the diff, changes nothing
  $ caisson call shell --json --args '{"command":"seq 3 | tac"}' | jq .output.stdout

In overlay mode the changes are printed as a unified diff; --commit then writes them to the workspace.
Guest output is escaped so that it cannot drive your terminal; --raw prints it as it is.`;

/** `caisson call`: one tool call through the whole pipeline. */
export function callCommand(setExitCode: (code: number) => void): Command {
  const command = new Command('call')
    .description('run one tool call in a sandbox and print what became of it')
    .argument('<tool>', 'tool name, e.g. read_file')
    .option('-a, --args <json>', 'arguments as JSON; - reads them from stdin', '{}');
  return addSandboxOptions(command)
    .option('--commit', 'with overlay: write the changes to the workspace when the call succeeded')
    .option('--json', 'print one JSON object: the outcome, and in overlay mode changes and diff')
    .option('--raw', 'do not escape control characters in the output')
    .addHelpText('after', EXAMPLES)
    .action(async (tool: string, options: CallCommandOptions) => {
      setExitCode(await withInterrupt((signal) => runCall(tool, options, signal)));
    });
}

async function runCall(tool: string, options: CallCommandOptions, signal: AbortSignal): Promise<number> {
  if (options.commit && options.workspaceMode !== 'overlay') {
    throw new UsageError('--commit needs --workspace-mode overlay: the other modes have nothing to commit');
  }
  const args = options.args === '-' ? await readStdin() : options.args;
  await using sandbox = await openSandbox(options);
  await using host = createToolHost({
    sandbox,
    tools: codingTools(options.timeout === undefined ? {} : { shell: { timeoutMs: options.timeout } }),
    permissions: permissionsOf(options),
    ...(canAsk(options) ? { approve: approveOnTerminal(signal) } : {}),
  });
  const outcome = await host.call({ toolName: tool, args }, { signal });
  const overlay = await settleOverlay(sandbox, outcome, options);
  if (options.json) print(safeJson({ ...outcome, ...overlay }, 2));
  else printForPeople(outcome, overlay, options);
  return exitCodeOf(outcome);
}

interface Overlay {
  changes?: Change[];
  diff?: string;
  committed?: CommitResult;
}

async function settleOverlay(
  sandbox: SandboxSession,
  outcome: ToolOutcome,
  options: CallCommandOptions,
): Promise<Overlay> {
  if (options.workspaceMode !== 'overlay' || isSandboxFailure(outcome)) return {};
  const changes = await sandbox.changes();
  const overlay: Overlay = { changes, diff: unifiedDiff(changes) };
  if (options.commit && outcome.status === 'ok' && !wasEnded(outcome)) overlay.committed = await sandbox.commit();
  return overlay;
}

function isSandboxFailure(outcome: ToolOutcome): boolean {
  return outcome.status === 'error' && outcome.error.kind === 'sandbox';
}

function printForPeople(outcome: ToolOutcome, overlay: Overlay, options: CallCommandOptions): void {
  const raw = options.raw === true;
  const text = outcomeText(outcome, { raw });
  print(text.output);
  printNote(text.note);
  if (overlay.diff) print(raw ? overlay.diff : colorDiff(escapeTerminal(overlay.diff)));
  if (overlay.changes) printNote(noteColor.dim(overlayNote(overlay)));
}

function overlayNote({ changes = [], committed }: Overlay): string {
  if (committed)
    return `Committed: ${committed.added} added, ${committed.modified} modified, ${committed.deleted} deleted`;
  if (changes.length === 0) return 'No changes';
  return `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}, not written to the workspace (pass --commit to write)`;
}

function canAsk(options: CallCommandOptions): boolean {
  return !options.json && process.stdin.isTTY === true && process.stderr.isTTY === true;
}

function approveOnTerminal(signal: AbortSignal): (request: ApprovalRequest) => Promise<ApprovalDecision> {
  return (request) => askApproval(request, { signal });
}
