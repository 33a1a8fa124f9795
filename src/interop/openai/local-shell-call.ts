import type { ToolErrorResult } from '../../tool/result.js';
import { quoteWord } from '../provider/quote-word.js';
import { member, textMember } from '../provider/record.js';
import { malformed } from '../provider/refusals.js';
import type { TurnCall } from '../provider/turn-call.js';
import { commandOutput, timeoutOf } from './command-result.js';
import type { CallItem } from './response-calls.js';
import type { OpenAiOutputItem } from './wire.js';

/** A `local_shell_call`: one program with its arguments, as a call of the host's `shell`. */
export function localShellCall({ callId, item }: CallItem): TurnCall<OpenAiOutputItem> {
  const action = member(item, 'action');
  const answer = (output: object, status: 'completed' | 'incomplete' = 'completed'): OpenAiOutputItem => ({
    type: 'local_shell_call_output',
    id: callId,
    output: JSON.stringify(output),
    status,
  });
  const failed = (error: ToolErrorResult) => answer(error, 'incomplete');
  const command = commandLine(action);
  if (typeof command !== 'string') return { kind: 'refused', answer: failed(malformed('shell', command.problem)) };
  const cwd = textMember(action, 'working_directory');
  return {
    kind: 'coding',
    toolCallId: callId,
    toolName: 'shell',
    failed,
    async run(call) {
      const outcome = await call('shell', {
        command,
        ...(cwd !== undefined && { cwd }),
        ...timeoutOf(member(action, 'timeout_ms')),
      });
      if (outcome.status === 'error') return failed(outcome.error);
      const { stdout, stderr, outcome: end } = commandOutput(outcome);
      return answer({
        stdout,
        stderr,
        ...(end.type === 'timeout' ? { timed_out: true } : { exit_code: end.exit_code }),
      });
    },
  };
}

function commandLine(action: unknown): string | { problem: string } {
  const argv = member(action, 'command');
  if (!Array.isArray(argv) || argv.length === 0 || !argv.every((word) => typeof word === 'string'))
    return { problem: "'command' must be a list of words, the program first" };
  if (textMember(action, 'user') !== undefined)
    return { problem: "'user' is not supported: commands run as the sandbox's own user" };
  const env = member(action, 'env') ?? {};
  const assignments = typeof env === 'object' ? Object.entries(env as object) : [];
  const bad = assignments.find(([name, value]) => !/^[A-Za-z_]\w*$/.test(name) || typeof value !== 'string');
  if (bad !== undefined) return { problem: `'env' has '${bad[0].slice(0, 64)}', which is no variable with a text` };
  const script = scriptOf(argv);
  // Assignments in front of a whole script would hold for its first command only.
  if (script !== undefined && assignments.length === 0) return script;
  // A login shell is none in a sandbox, and not every shell there knows of it.
  const words = isScript(argv) ? [argv[0] ?? '', '-c', ...argv.slice(2)] : argv;
  const [program = '', ...rest] = words;
  return [
    ...assignments.map(([name, value]) => `${name}=${quoteWord(value)}`),
    programWord(program),
    ...rest.map(quoteWord),
  ].join(' ');
}

/** In the place of a program `a=b`, `if` and `time` would be something else. */
function programWord(program: string): string {
  return /^\w+\+?=/.test(program) || KEYWORDS.has(program)
    ? `'${program.replaceAll("'", "'\\''")}'`
    : quoteWord(program);
}

const KEYWORDS = new Set(
  'case coproc do done elif else esac fi for function if in select then time until while'.split(' '),
);

/** `bash -lc script` is a script for the shell that runs it anyway: people and rules then see it as it is. */
function scriptOf(argv: readonly string[]): string | undefined {
  return isScript(argv) && argv.length === 3 ? argv[2] : undefined;
}

function isScript([shell = '', flag = '']: readonly string[]): boolean {
  return /^(?:\/(?:usr\/)?bin\/)?(?:ba)?sh$/.test(shell) && /^-l?c$/.test(flag);
}
