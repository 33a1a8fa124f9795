const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

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
  if (TOOL_NAME.test(name)) return;
  throw new TypeError(
    `Cannot define a tool: invalid tool name ${JSON.stringify(name.slice(0, 100))}. ` +
      `Use 1 to 64 letters, digits, '_' and '-', such as ${JSON.stringify(suggestToolName(name))}`,
  );
}

/** The nearest valid name: accents dropped, every other run of invalid characters one `_`. */
function suggestToolName(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{Mark}/gu, '');
  const valid = plain
    .trim()
    .replaceAll(/[^a-zA-Z0-9_-]+/g, '_')
    .slice(0, 64);
  return /[a-zA-Z0-9]/.test(valid) ? valid : 'my_tool';
}
