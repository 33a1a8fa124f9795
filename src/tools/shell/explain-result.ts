import type { ExecCause, ExecResult, SandboxCapabilities } from '../../sandbox/contract.js';
import { MAX_TIMEOUT_MS } from '../../sandbox/limits.js';
import { isUntrusted, UNTRUSTED_ADVICE } from '../../sandbox/untrusted-certificate.js';
import { lastProgram } from './last-program.js';

/** Sentences that tell the model what a result means and what to do; empty when the result speaks for itself. */
export function explainResult(result: ExecResult, call: ExplainedCall): string[] {
  return [
    ...(result.cause === undefined ? [] : [explainCause(result.cause, result, call)]),
    ...explainFailure(result, call.capabilities),
    ...explainExit(result, call.command),
    ...explainOutput(result),
    ...explainLeftovers(result),
  ];
}

interface ExplainedCall {
  command: string;
  timeoutMs: number;
  /** Of the sandbox it ran in. */
  capabilities: Pick<SandboxCapabilities, 'isolation' | 'network'>;
}

function explainCause(cause: ExecCause, result: ExecResult, call: ExplainedCall): string {
  if (cause === 'timeout') return explainTimeout(result, call.timeoutMs);
  if (cause === 'network_denied' && isContainer(call.capabilities)) return `${CAUSES[cause]}. ${SETUP}`;
  return CAUSES[cause];
}

const CAUSES: Record<Exclude<ExecCause, 'timeout'>, string> = {
  aborted: 'The command was stopped because the call was aborted',
  oom: 'The command was ended because the sandbox ran out of memory; work on less data at once, or stream it through pipes',
  pids_exhausted: 'The sandbox has no room for more processes; start fewer at once',
  output_limit:
    'The command was ended because it wrote too much output; send the output to a file, or filter it with head, tail or grep',
  no_space: 'The disk of the sandbox is full; remove files that are not needed, then retry',
  command_not_found: 'A program was not found in this sandbox; use one that is present (see stderr for its name)',
  not_executable: 'The file is not executable; run it through its interpreter, for example bash file, or set chmod +x',
  killed: 'The command was ended from outside by a signal',
  network_denied: 'This sandbox has no network; work with what is in it',
};

const SETUP =
  "What must be downloaded is installed before the first command, by the 'setup' of the sandbox: tell whoever runs this what is missing";

function isContainer({ isolation }: ExplainedCall['capabilities']): boolean {
  return isolation === 'container' || isolation === 'microvm';
}

/** Git's own words for a `.git` file whose repository is not there. */
const NO_REPOSITORY = /^fatal: not a git repository: (\S*\.git\/(?:worktrees|modules)\/\S+)/m;

/** What a program says itself, and what to make of it here. */
function explainFailure(
  { exitCode, stdout, stderr }: ExecResult,
  capabilities: ExplainedCall['capabilities'],
): string[] {
  if (exitCode === 0) return [];
  const repository = NO_REPOSITORY.exec(stderr)?.[1];
  return [
    ...(repository === undefined
      ? []
      : [
          `The .git file here (of a worktree or a submodule) points to ${repository}, which is not in the sandbox, so git cannot work. Go on without git, or ask for a clone of its own as the workspace, or for the main repository's .git as a mount under that path`,
        ]),
    ...(isContainer(capabilities) && capabilities.network !== 'none' && isUntrusted(`${stdout}\n${stderr}`)
      ? [UNTRUSTED_ADVICE]
      : []),
  ];
}

function explainTimeout(result: ExecResult, timeoutMs: number): string {
  const seconds = timeoutMs / 1000;
  const longer =
    timeoutMs < MAX_TIMEOUT_MS ? `raise timeout_ms (at most ${MAX_TIMEOUT_MS})` : 'split it into smaller parts';
  const waiting = looksLikePrompt(result)
    ? 'It looks as if it was waiting for input: there is none here, so pass flags such as --yes. '
    : 'Was it waiting for input? There is none here: pass flags such as --yes. ';
  return `The command was stopped after ${seconds} s; the output is what it wrote until then. ${waiting}If it needs longer, ${longer}`;
}

function looksLikePrompt({ stdout, stderr }: ExecResult): boolean {
  return [stdout, stderr].some((stream) => /(?:[?:>]|\[y\/n\]|\(y\/n\)) ?$/i.test(stream.slice(-200)));
}

/** Exit code 1 of these is an answer, not a failure. */
const BENIGN: Record<string, string> = {
  grep: 'nothing matched',
  egrep: 'nothing matched',
  fgrep: 'nothing matched',
  zgrep: 'nothing matched',
  rg: 'nothing matched',
  find: 'some paths could not be searched, the rest of the output is right',
  diff: 'the files differ',
  cmp: 'the files differ',
  test: 'the condition is false',
  '[': 'the condition is false',
  '[[': 'the condition is false',
};

function explainExit(result: ExecResult, command: string): string[] {
  if (result.exitCode !== 1 || result.cause !== undefined) return [];
  const program = lastProgram(command);
  if (program === undefined || !Object.hasOwn(BENIGN, program)) return [];
  if (result.stderr !== '' && program !== 'find') return [];
  return [`Exit code 1 of ${program} is not an error: ${BENIGN[program]}`];
}

function explainOutput(result: ExecResult): string[] {
  const streams = [result.bytes?.stdout && 'stdout', result.bytes?.stderr && 'stderr'].filter(
    (name) => name !== undefined,
  );
  if (streams.length === 0) return [];
  return [`${streams.join(' and ')} held bytes that are not UTF-8, shown as \uFFFD; use od or base64 to see them`];
}

function explainLeftovers(result: ExecResult): string[] {
  const notes: string[] = [];
  if (result.killed === 'unverified') notes.push('Parts of it may still be running');
  const left = result.stillRunning ?? [];
  if (left.length > 0) {
    const names = left.slice(0, 5).map(({ pid, command }) => `${pid} ${command.slice(0, 80)}`);
    notes.push(`${left.length} of its processes still running (${names.join(', ')}${left.length > 5 ? ', …' : ''})`);
  }
  return notes;
}
