import type { ApprovalRequest } from '../../../host/types.js';

const MAX_ARGUMENT_CHARACTERS = 8_000;

/** What a person is shown. `accept` approves, anything else rejects. */
export function approvalQuestion(request: ApprovalRequest): {
  message: string;
  requestedSchema: { type: 'object'; properties: { note: { type: 'string'; title: string; description: string } } };
} {
  return {
    message: [
      `Run the tool '${request.displayName}'?`,
      ...(request.reason === undefined ? [] : [`Reason: ${visible(request.reason)}`]),
      ...(request.rule === undefined ? [] : [`Asked by: ${visible(request.rule)}`]),
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

/** What is cut is cut in the middle and said so: nobody approves an end that was not shown. */
function argumentText(args: unknown): string {
  const text = visible(JSON.stringify(args, undefined, 2) ?? 'none');
  if (text.length <= MAX_ARGUMENT_CHARACTERS) return text;
  const half = MAX_ARGUMENT_CHARACTERS / 2;
  const left = text.length - MAX_ARGUMENT_CHARACTERS;
  return `${text.slice(0, half)}\n[WARNING: ${left} characters are NOT SHOWN here]\n${text.slice(-half)}`;
}

/** Characters that hide or reorder text are spelled out: a model wrote these arguments. */
function visible(text: string): string {
  return text.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that must not pass
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
