import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { PROJECT_POLICY } from '../../permissions/find-policy-files.js';
import { importClaudeSettings } from '../../permissions/import-claude-settings.js';
import { type PermissionCall, type Policy, parsePolicy } from '../../permissions/policy.js';
import { readCases, runCases } from '../../permissions/run-cases.js';
import { STARTER_POLICY } from '../../permissions/starter-policy.js';
import { checkMasks } from '../../sandbox/docker/check-masks.js';
import { findOtherNames } from '../../sandbox/docker/find-other-names.js';
import { DECISION_EXIT, EXIT } from '../exit-code.js';
import { policyReport, policyReportText } from '../policy/doctor-text.js';
import { explanationText } from '../policy/explanation-text.js';
import { addPolicyOptions, loadPolicy, type PolicySourceOptions, policyParts } from '../policy/load-policy.js';
import { safeJson } from '../terminal/escape.js';
import { print, printNote } from '../terminal/print.js';
import { UsageError } from '../usage-error.js';

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
    .option('-a, --args <json>', 'its arguments as JSON')
    .option('--json', 'print the explanation as JSON');
  return addPolicyOptions(command).action((text: string | undefined, options: CallOptions) => {
    const explained = loadPolicy(options).explain(callOf(text, options));
    print(options.json ? safeJson(explained, 2) : explanationText(explained, { whole: name === 'explain' }));
    setExitCode(DECISION_EXIT[explained.decision]);
  });
}

function callOf(text: string | undefined, { tool, args }: CallOptions): PermissionCall {
  if (text !== undefined && (tool !== undefined || args !== undefined))
    throw new UsageError('Give a command, or --tool with --args, not both');
  if (text !== undefined) return { toolName: 'shell', args: { command: text } };
  if (tool === undefined)
    throw new UsageError("Nothing to check: give a command, or --tool and --args, e.g. caisson policy check 'ls'");
  return { toolName: tool, args: args === undefined ? {} : parseJson(args, '--args') };
}

function testCommand(setExitCode: SetExitCode): Command {
  const command = new Command('test')
    .description("load the policy, which tries the rules' own examples, and decide every case of a file")
    .argument('[cases]', 'a JSON array, or one case a line: { "call": { "tool", "args" }, "expect" }')
    .option('--json', 'print failures as JSON');
  return addPolicyOptions(command).action((file: string | undefined, options: CallOptions) => {
    const { input, settings } = policyParts(options);
    const cases = file === undefined ? [] : readCases(readText(file));
    if (cases.every(({ rules }) => rules === undefined)) parsePolicy(input, settings);
    const failures = runCases(cases, input, settings);
    if (options.json) print(safeJson({ cases: cases.length, failures }, 2));
    else {
      for (const { name, expected, decided, by, why } of failures)
        print(
          `✗ ${name}: expected ${expected}, decided ${decided}${by === undefined ? '' : ` by ${by}`}${why === undefined ? '' : `\n  ${why}`}`,
        );
      print(`${cases.length - failures.length} of ${cases.length} cases pass`);
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
      const { policy, notes } = importClaudeSettings(parseJson(readText(file), file));
      for (const warning of parsePolicy(policy).warnings) notes.push(warning);
      print(JSON.stringify(policy, undefined, 2));
      if (notes.length > 0) printNote(['What differs here:', ...notes.map((note) => `  • ${note}`)].join('\n'));
    });
}

function initCommand(): Command {
  return new Command('init')
    .description(`write a starter ${PROJECT_POLICY}: secrets, pushing, publishing, files that run later`)
    .argument('[file]', 'where', PROJECT_POLICY)
    .option('--force', 'replace a file that exists')
    .action((file: string, options: { force?: boolean }) => {
      if (existsSync(file) && options.force !== true)
        throw new UsageError(`'${file}' exists: pass --force to replace it`);
      writeText(file, STARTER_POLICY, options.force === true ? 'w' : 'wx');
      print(`Wrote ${file}. Try: caisson policy check 'cat .env'`);
    });
}

function writeText(file: string, text: string, flag: 'w' | 'wx'): void {
  try {
    writeFileSync(file, text, { flag });
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

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${what} is not JSON`);
  }
}
