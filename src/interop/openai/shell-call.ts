import { cut, cutStart } from '../../tools/files/text-lines.js';
import { member } from '../provider/record.js';
import { malformed } from '../provider/refusals.js';
import type { TurnCall } from '../provider/turn-call.js';
import { commandOutput, timeoutOf } from './command-result.js';
import type { CallItem } from './response-calls.js';
import type { OpenAiCommandOutput, OpenAiOutputItem } from './wire.js';

/** Commands of one call. */
const MAX_COMMANDS = 100;

/** A `shell_call`: its commands one after the other, each a call of the host's `shell`. */
export function shellCall({ callId, item, echo }: CallItem): TurnCall<OpenAiOutputItem> {
  const action = member(item, 'action');
  const limit = limitOf(member(action, 'max_output_length'));
  const answer = (output: OpenAiCommandOutput[]): OpenAiOutputItem => ({
    type: 'shell_call_output',
    call_id: callId,
    output: output.map((command) => shorten(command, limit)),
    status: 'completed',
    ...(limit !== undefined && { max_output_length: limit }),
    ...echo,
  });
  const failed = (error: ReturnType<typeof malformed>): OpenAiOutputItem =>
    answer([{ stdout: '', stderr: JSON.stringify(error), outcome: { type: 'exit', exit_code: 126 } }]);
  const commands = member(action, 'commands');
  if (!isCommands(commands)) {
    return {
      kind: 'refused',
      answer: failed(malformed('shell', `'commands' must be a list of 1 to ${MAX_COMMANDS} command lines`)),
    };
  }
  const timeout = timeoutOf(member(action, 'timeout_ms'));
  return {
    kind: 'coding',
    toolCallId: callId,
    toolName: 'shell',
    failed,
    async run(call) {
      const outputs: OpenAiCommandOutput[] = [];
      for (const command of commands) outputs.push(commandOutput(await call('shell', { command, ...timeout })));
      return answer(outputs);
    },
  };
}

function isCommands(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MAX_COMMANDS &&
    value.every((command) => typeof command === 'string')
  );
}

function limitOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}

/** `max_output_length` counts both streams of a command; stderr gets at most half where stdout needs the rest. */
function shorten(command: OpenAiCommandOutput, limit: number | undefined): OpenAiCommandOutput {
  const { stdout, stderr } = command;
  if (limit === undefined || stdout.length + stderr.length <= limit) return command;
  const forStderr = Math.min(stderr.length, Math.max(Math.floor(limit / 2), limit - stdout.length));
  return { ...command, stdout: cutMiddle(stdout, limit - forStderr), stderr: cutMiddle(stderr, forStderr) };
}

function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const marker = `\n[… ${text.length - limit} characters dropped here …]\n`;
  if (limit < marker.length * 2) return cut(text, limit);
  const head = Math.floor((limit - marker.length) / 2);
  return cut(text, head) + marker + cutStart(text, limit - marker.length - head);
}
