import { show } from '../checks/show.js';

/** The strictest provider's limit. */
const MAX_CHARACTERS = 64;
const TOOL_NAME = /^[a-zA-Z0-9_-]+$/;

/**
 * Checks a tool's name: 1 to 64 letters, digits, `_` and `-`, the limit that model providers put on function names.
 * @throws TypeError that says what is wrong and suggests a name that is right.
 */
export function checkToolName(name: unknown): asserts name is string {
  if (typeof name !== 'string' || name === '') {
    throw new TypeError(
      "Cannot define a tool: 'name' is required, a string that the model calls it by, such as name: 'get_weather'",
    );
  }
  if (name.length > MAX_CHARACTERS) {
    throw new TypeError(
      `Cannot define a tool: invalid tool name ${show(name)}: it has ${name.length} characters, and model providers take at most ${MAX_CHARACTERS}. Use a shorter one, such as ${JSON.stringify(suggestToolName(name))}`,
    );
  }
  if (TOOL_NAME.test(name)) return;
  throw new TypeError(
    `Cannot define a tool: invalid tool name ${JSON.stringify(name)}. ` +
      `Use 1 to ${MAX_CHARACTERS} letters, digits, '_' and '-', such as ${JSON.stringify(suggestToolName(name))}`,
  );
}

/** The nearest valid name: accents dropped, every other run of invalid characters one `_`. */
function suggestToolName(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{Mark}/gu, '');
  const valid = plain
    .trim()
    .replaceAll(/[^a-zA-Z0-9_-]+/g, '_')
    .slice(0, MAX_CHARACTERS);
  return /[a-zA-Z0-9]/.test(valid) ? valid : 'my_tool';
}
