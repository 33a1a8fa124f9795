import { closeSync, constants, lstatSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { type PermissionCall, type Policy, parsePolicy } from '../../permissions/policy.js';
import { PROJECT_POLICY } from '../../permissions/policy-files/find-policy-files.js';
import { type ImportedPolicy, importClaudeSettings } from '../../permissions/policy-files/import-claude-settings.js';
import { readPolicyFile } from '../../permissions/policy-files/policy-file.js';
import { STARTER_POLICY } from '../../permissions/policy-files/starter-policy.js';
import { readCases, runCases } from '../../permissions/run-cases.js';
import { checkMasks } from '../../sandbox/docker/names/check-masks.js';
import { findOtherNames } from '../../sandbox/docker/names/find-other-names.js';
import { DECISION_EXIT, EXIT } from '../exit-code.js';
import { policyReport, policyReportText } from '../policy/doctor-text.js';
import { explanationText } from '../policy/explanation-text.js';
import { addPolicyOptions, loadPolicy, type PolicySourceOptions, policyParts } from '../policy/load-policy.js';
import { escapeTerminal, safeJson } from '../terminal/escape.js';
import { print, printNote } from '../terminal/print.js';
import { readStdin } from '../terminal/read-stdin.js';
import { UsageError } from '../usage-error.js';

const WRITE = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW;
const CREATE = WRITE | constants.O_EXCL;
const REPLACE = WRITE | constants.O_TRUNC;

type SetExitCode = (code: number) => void;

const EXAMPLES = `
Examples:
  $ caisson policy init                                    # a starter caisson.policy.json
  $ caisson policy check 'git status && git push'          # exit code: 0 allow, 3 deny, 5 ask
  $ caisson policy explain --tool read_file --args '{"path":".env"}'
  $ caisson policy test policy-cases.jsonl                 # one case a line: call, expect
  $ caisson policy doctor                                  # what holds each rule, on each backend
  $ caisson policy import ~/.claude/settings.json`;

interface CallOptions extends PolicySourceOptions {
  tool?: string;
  args?: string;
  json?: boolean;
}

/** `caisson policy`: rules for people. */
export function policyCommand(setExitCode: SetExitCode): Command {
  const command = new Command('policy')
    .description('check, explain and test permission rules')
    .addHelpText('after', EXAMPLES);
  command.addCommand(callCommand('check', 'say what the policy decides of a command or a call', setExitCode));
  command.addCommand(callCommand('explain', 'the same, with all that was considered', setExitCode));
  command.addCommand(testCommand(setExitCode));
  command.addCommand(doctorCommand(setExitCode));
  command.addCommand(importCommand());
  command.addCommand(initCommand());
  return command;
}

function callCommand(name: 'check' | 'explain', description: string, setExitCode: SetExitCode): Command {
  const command = new Command(name)
    .description(description)
    .argument('[command]', 'a shell command')
    .option('-t, --tool <name>', 'another tool than shell')
    .option('-a, --args <json>', 'its arguments as JSON; - reads them from stdin')
    .option('--json', 'print the explanation as JSON');
  return addPolicyOptions(command).action(async (text: string | undefined, options: CallOptions) => {
    const call = await callOf(text, options);
    const policy = loadPolicy(options);
    noteWarnings(policy);
    const explained = policy.explain(call);
    print(options.json ? safeJson(explained, 2) : explanationText(explained, { whole: name === 'explain' }));
    setExitCode(DECISION_EXIT[explained.decision]);
  });
}

/** On stderr: a rule that does not count must not be taken for one that does. */
function noteWarnings({ warnings }: Policy): void {
  for (const warning of warnings) printNote(`warning: ${escapeTerminal(warning)}`);
}

async function callOf(text: string | undefined, { tool, args }: CallOptions): Promise<PermissionCall> {
  if (text !== undefined && (tool !== undefined || args !== undefined))
    throw new UsageError('Give a command, or --tool with --args, not both');
  if (text !== undefined) return { toolName: 'shell', args: { command: text } };
  if (tool === undefined || tool === '')
    throw new UsageError("Nothing to check: give a command, or --tool and --args, e.g. caisson policy check 'ls'");
  return { toolName: tool, args: args === undefined ? {} : parseArgs(args === '-' ? await readStdin() : args) };
}

function testCommand(setExitCode: SetExitCode): Command {
  const command = new Command('test')
    .description("load the policy, which tries the rules' own examples, and decide every case of a file")
    .argument('[cases]', 'a JSON array, or one case a line: { "call": { "tool", "args" }, "expect" }')
    .option('--json', 'print failures as JSON');
  return addPolicyOptions(command).action((file: string | undefined, options: CallOptions) => {
    const { input, settings } = policyParts(options);
    const cases = file === undefined ? [] : readCases(readText(file));
    if (file !== undefined && cases.length === 0) throw new UsageError(`'${file}' holds no case`);
    if (cases.every(({ rules }) => rules === undefined)) noteWarnings(parsePolicy(input, settings));
    const failures = runCases(cases, input, settings);
    if (options.json) print(safeJson({ cases: cases.length, failures }, 2));
    else {
      for (const { name, expected, decided, by, why } of failures)
        print(
          escapeTerminal(
            `✗ ${name}: expected ${expected}, decided ${decided}${by === undefined ? '' : ` by ${by}`}${why === undefined ? '' : `\n  ${why}`}`,
          ),
        );
      print(
        file === undefined
          ? "The policy loads, and its rules' own examples hold"
          : `${cases.length - failures.length} of ${cases.length} cases pass`,
      );
    }
    setExitCode(failures.length === 0 ? EXIT.ok : EXIT.failed);
  });
}

function doctorCommand(setExitCode: SetExitCode): Command {
  const command = new Command('doctor')
    .description('every rule with what holds it on each backend, and what does not')
    .option('--no-scan', 'do not look through the workspace for denied content under other names')
    .option('--json', 'print the report as JSON');
  return addPolicyOptions(command).action(async (options: CallOptions & { scan: boolean }) => {
    const policy = loadPolicy(options);
    const workspace = resolve(options.workspace);
    const report = policyReport(policy, options.scan ? await lookThrough(workspace, policy) : {});
    print(options.json ? safeJson(report, 2) : policyReportText(report));
    setExitCode(report.exposures.length === 0 ? EXIT.ok : EXIT.failed);
  });
}

async function lookThrough(workspace: string, policy: Policy) {
  const plan = policy.plan();
  const [others, masks] = await Promise.all([findOtherNames(workspace, plan), checkMasks(workspace, plan)]);
  return { ...others, dockerDirect: masks };
}

function importCommand(): Command {
  return new Command('import')
    .description('turn the permissions of a Claude Code settings.json into a policy, printed to stdout')
    .argument('<settings>', 'the settings file')
    .action((file: string) => {
      const { policy, notes } = imported(readPolicyFile(file, 'the settings'));
      for (const warning of parsePolicy(policy).warnings) notes.push(warning);
      print(safeJson(policy, 2));
      if (notes.length > 0)
        printNote(['What differs here:', ...notes.map((note) => `  • ${escapeTerminal(note)}`)].join('\n'));
    });
}

function imported(settings: unknown): ImportedPolicy {
  try {
    return importClaudeSettings(settings);
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}

function initCommand(): Command {
  return new Command('init')
    .description(`write a starter ${PROJECT_POLICY}: secrets, pushing, publishing, files that run later`)
    .argument('[file]', 'where', PROJECT_POLICY)
    .option('--force', 'replace a file that exists')
    .action((file: string, options: { force?: boolean }) => {
      const there = lstatSync(file, { throwIfNoEntry: false });
      // What is behind a link is somebody else's file.
      if (there !== undefined && !there.isFile())
        throw new UsageError(`Cannot write '${file}': it is not a regular file`);
      if (there !== undefined && options.force !== true)
        throw new UsageError(`'${file}' exists: pass --force to replace it`);
      writeText(file, STARTER_POLICY, options.force === true ? REPLACE : CREATE);
      print(`Wrote ${file}. Try: caisson policy check 'cat .env'`);
    });
}

function writeText(file: string, text: string, flags: number): void {
  try {
    const opened = openSync(file, flags, 0o644);
    try {
      writeFileSync(opened, text);
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    throw new UsageError(`Cannot write '${file}': ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`Cannot read '${file}': ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`);
  }
}

function parseArgs(text: string): object {
  let args: unknown;
  try {
    args = JSON.parse(text);
  } catch {
    throw new UsageError('--args is not JSON');
  }
  if (typeof args === 'object' && args !== null && !Array.isArray(args)) return args;
  throw new UsageError('--args must be a JSON object, such as {"path":".env"}');
}
