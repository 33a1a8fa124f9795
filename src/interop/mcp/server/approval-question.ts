import type { ApprovalRequest } from '../../../host/types.js';
import { spellOutHidden } from '../../../tool/hidden-characters.js';

const MAX_ARGUMENT_CHARACTERS = 8_000;
const MAX_LINE_CHARACTERS = 500;

/**
 * What a person is shown. `accept` approves, anything else rejects. Characters that hide or reorder text are spelled
 * out: a model wrote these arguments.
 */
export function approvalQuestion(request: ApprovalRequest): {
  message: string;
  requestedSchema: { type: 'object'; properties: { note: { type: 'string'; title: string; description: string } } };
} {
  return {
    message: [
      `Run the tool '${oneLine(request.toolName)}'${calledOtherwise(request)}?`,
      ...(request.reason === undefined ? [] : [`Reason: ${oneLine(request.reason)}`]),
      ...(request.rule === undefined ? [] : [`Asked by: ${oneLine(request.rule)}`]),
      `Arguments: ${argumentText(request.args)}`,
    ].join('\n'),
    requestedSchema: {
      type: 'object',
      properties: {
        note: { type: 'string', title: 'Note', description: 'Told to the model when you decline (optional)' },
      },
    },
  };
}

/** Whoever made the tool may call it anything: what rules and people know it by comes first. */
function calledOtherwise({ toolName, displayName }: ApprovalRequest): string {
  return displayName === toolName ? '' : `, which calls itself '${oneLine(displayName)}'`;
}

/** Nothing but the question itself begins a line of it, and nothing pushes the arguments out of sight. */
function oneLine(text: string): string {
  const shown = spellOutHidden(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  return shown.length > MAX_LINE_CHARACTERS ? `${shown.slice(0, MAX_LINE_CHARACTERS)}…` : shown;
}

/** What is cut is cut in the middle and said so: nobody approves an end that was not shown. */
function argumentText(args: unknown): string {
  const text = spellOutHidden(JSON.stringify(args, undefined, 2) ?? 'none');
  if (text.length <= MAX_ARGUMENT_CHARACTERS) return text;
  const half = MAX_ARGUMENT_CHARACTERS / 2;
  const left = text.length - MAX_ARGUMENT_CHARACTERS;
  return `${text.slice(0, half)}\n[WARNING: ${left} characters are NOT SHOWN here]\n${text.slice(-half)}`;
}
