import { type ParseError, parse } from 'jsonc-parser';
import { checkOptions, shapeOf } from '../../checks/options.js';
import type { ToolHost } from '../../host/types.js';
import { type AiSdkToolNames, keyed, toolNames } from './tool-keys.js';

/** A call as the model wrote it: `input` is its text. */
export interface AiSdkToolCall {
  toolCallId: string;
  toolName: string;
  input: string;
}

/** `repairToolCall` of `generateText` and `streamText` in the AI SDK 7, `experimental_repairToolCall` in 6. */
export type AiSdkRepairToolCall = <Call extends AiSdkToolCall>(options: {
  toolCall: Call;
  error: { name: string };
}) => Promise<Call | null>;

const REPAIRABLE = ['AI_NoSuchToolError', 'AI_InvalidToolInputError'];

export interface ToAiSdkRepairToolCallOptions {
  /** The same as `toAiSdkTools` was given. */
  names?: AiSdkToolNames;
}

const OPTIONS = shapeOf<ToAiSdkRepairToolCallOptions>({ names: toolNames });

/**
 * Mends slips of a model that the AI SDK would answer itself: a tool's name in other letters (`Read-File`,
 * `functions.read_file`), arguments in a code fence, twice encoded, with comments or trailing commas. What is cut off is
 * never completed: half a command is another command. A mended call passes all gates of the host.
 *
 * @throws TypeError for an unknown option
 * @example
 * await generateText({ model, tools: toAiSdkTools(host), repairToolCall: toAiSdkRepairToolCall(host), prompt });
 */
export function toAiSdkRepairToolCall(host: ToolHost, options: ToAiSdkRepairToolCallOptions = {}): AiSdkRepairToolCall {
  checkOptions('toAiSdkRepairToolCall', options, OPTIONS);
  return async ({ toolCall, error }) => {
    if (!REPAIRABLE.includes(error?.name)) return null;
    const names = keyed(host.tools(), options.names).map(([key]) => key);
    const toolName = names.includes(toolCall.toolName) ? toolCall.toolName : namesake(toolCall.toolName, names);
    const input = mendedArguments(toolCall.input);
    return toolName === undefined || input === undefined ? null : { ...toolCall, toolName, input };
  };
}

/** The one tool whose name has the same letters and digits. */
function namesake(written: string, names: readonly string[]): string | undefined {
  const wanted = lettersOf(written.split(/[.:/]/).at(-1) ?? '');
  const alike = names.filter((name) => lettersOf(name) === wanted);
  return wanted !== '' && alike.length === 1 ? alike[0] : undefined;
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** JSON of an object; `undefined` for what is none. */
function mendedArguments(text: string): string | undefined {
  const inside = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/.exec(text)?.[1] ?? text;
  const once = readLeniently(inside);
  const value = typeof once === 'string' ? readLeniently(once) : once;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? JSON.stringify(value) : undefined;
}

function readLeniently(text: string): unknown {
  if (text.trim() === '') return {};
  // The parser would make it the object's prototype, and the member would be gone.
  if (text.includes('__proto__')) return undefined;
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  return errors.length === 0 ? value : undefined;
}
